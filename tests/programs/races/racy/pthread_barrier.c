// Expect: race
// Plain C: both threads fill their half behind the barrier, and look at the other's half at once.
#include <pthread.h>

static pthread_barrier_t barrier;
static int half[2];

static void* work(void* argument) {
  int self = *(int*)argument;
  pthread_barrier_wait(&barrier);
  half[self] = 1;                    // race
  *(int*)argument = half[1 - self];  // race
  return 0;
}

int main(void) {
  pthread_t threads[2];
  int arguments[2] = {0, 1};
  pthread_barrier_init(&barrier, 0, 2);
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], 0, work, &arguments[i]);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
  return 0;
}
