// Expect: race
// Plain C: the producer sets the flag without the mutex, and signals.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;

static void* produce(void* unused) {
  ready = 1;  // race
  pthread_mutex_lock(&mutex);
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t producer;
  pthread_create(&producer, 0, produce, 0);
  pthread_mutex_lock(&mutex);
  while (!ready) pthread_cond_wait(&changed, &mutex);  // race
  pthread_mutex_unlock(&mutex);
  pthread_join(producer, 0);
  return 0;
}
