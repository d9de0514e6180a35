// Expect: clean
// Plain C: a condition variable, and a value that comes back from pthread_join.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready, data, answer;

static void* produce(void* unused) {
  (void)unused;
  data = 42;
  pthread_mutex_lock(&mutex);
  ready = 1;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&mutex);
  answer = 7;
  return &answer;
}

int main(void) {
  pthread_t producer;
  void* result;
  pthread_create(&producer, 0, produce, 0);
  pthread_mutex_lock(&mutex);
  while (!ready) pthread_cond_wait(&changed, &mutex);
  pthread_mutex_unlock(&mutex);
  int seen = data;
  pthread_join(producer, &result);
  return seen != 42 || *(int*)result != 7;
}
