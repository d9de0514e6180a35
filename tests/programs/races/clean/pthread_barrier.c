// Expect: clean
// Plain C: fill, barrier, look at the other's half; twice, with a barrier in between.
#include <pthread.h>

static pthread_barrier_t barrier;
static int half[2];
static int wrong[2];

static void* work(void* argument) {
  int self = *(int*)argument;
  for (int round = 1; round <= 2; ++round) {
    half[self] = round;
    pthread_barrier_wait(&barrier);
    if (half[1 - self] != round) wrong[self] = 1;
    pthread_barrier_wait(&barrier);
  }
  return 0;
}

int main(void) {
  pthread_t threads[2];
  int arguments[2] = {0, 1};
  pthread_barrier_init(&barrier, 0, 2);
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], 0, work, &arguments[i]);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
  pthread_barrier_destroy(&barrier);
  return wrong[0] || wrong[1];
}
