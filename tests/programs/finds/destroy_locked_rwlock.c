// Expect: lock-misuse
// A read-write lock is destroyed while another thread may be reading under it.
#include <pthread.h>
#include <stdatomic.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static atomic_int done, uses;

static void* body(void* unused) {
  pthread_rwlock_rdlock(&lock);
  atomic_store(&done, 1);
  atomic_fetch_add(&uses, 1);
  pthread_rwlock_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, body, NULL);
  while (!atomic_load(&done)) {
  }
  pthread_rwlock_destroy(&lock);
  pthread_join(thread, NULL);
}
