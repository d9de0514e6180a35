// Expect: clean
// A condition variable and a barrier may be destroyed once all waiters were woken, before they run.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed;
static pthread_barrier_t barrier;
static int waiting, go;

static void* body(void* unused) {
  pthread_mutex_lock(&mutex);
  ++waiting;
  while (!go) pthread_cond_wait(&changed, &mutex);
  pthread_mutex_unlock(&mutex);
  pthread_barrier_wait(&barrier);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_cond_init(&changed, NULL);
  pthread_barrier_init(&barrier, NULL, 3);
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, body, NULL);
  pthread_mutex_lock(&mutex);
  while (waiting != 2) {
    pthread_mutex_unlock(&mutex);
    pthread_mutex_lock(&mutex);
  }
  go = 1;
  pthread_cond_broadcast(&changed);
  pthread_cond_destroy(&changed);
  pthread_mutex_unlock(&mutex);
  pthread_barrier_wait(&barrier);
  pthread_barrier_destroy(&barrier);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
}
