// Expect: clean
// Threads that are cancelled, or leave by pthread_exit, give their locks back in cleanup handlers.
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;

static void unlock(void* unused) {
  (void)unused;
  pthread_mutex_unlock(&mutex);
}
static void unlock_rw(void* unused) {
  (void)unused;
  pthread_rwlock_unlock(&rwlock);
}

static void* waits(void* unused) {
  pthread_mutex_lock(&mutex);
  pthread_cleanup_push(unlock, NULL);
  for (;;) pthread_cond_wait(&never, &mutex);
  pthread_cleanup_pop(1);
  return unused;
}

static void* leaves(void* unused) {
  pthread_rwlock_rdlock(&rwlock);
  pthread_cleanup_push(unlock_rw, NULL);
  pthread_exit(unused);
  pthread_cleanup_pop(1);
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, waits, NULL);
  pthread_create(&second, NULL, leaves, NULL);
  pthread_cancel(first);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  pthread_mutex_destroy(&mutex);
  pthread_rwlock_destroy(&rwlock);
}
