// Expect: clean
// pthread_tryjoin_np, pthread_timedjoin_np and pthread_clockjoin_np: busy or timed out first, then
// the result.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <time.h>

static sem_t go;

static void* body(void* result) {
  while (sem_wait(&go) != 0) {
  }
  return result;
}

int main(void) {
  sem_init(&go, 0, 0);
  pthread_t threads[3];
  int results[3];
  for (int i = 0; i < 3; ++i) pthread_create(&threads[i], NULL, body, &results[i]);
  void* result = NULL;
  struct timespec deadline;
  for (int i = 0; i < 3; ++i) {
    assert(pthread_tryjoin_np(threads[i], &result) == EBUSY);
    clock_gettime(CLOCK_REALTIME, &deadline);
    --deadline.tv_sec;
    assert(pthread_timedjoin_np(threads[i], &result, &deadline) == ETIMEDOUT);
  }
  for (int i = 0; i < 3; ++i) sem_post(&go);

  int error;
  while ((error = pthread_tryjoin_np(threads[0], &result)) != 0) {
    assert(error == EBUSY);
    sched_yield();
  }
  assert(result == &results[0]);
  do {
    clock_gettime(CLOCK_REALTIME, &deadline);
    ++deadline.tv_sec;
    error = pthread_timedjoin_np(threads[1], &result, &deadline);
    assert(error == 0 || error == ETIMEDOUT);
  } while (error != 0);
  assert(result == &results[1]);
  do {
    clock_gettime(CLOCK_MONOTONIC, &deadline);
    ++deadline.tv_sec;
    error = pthread_clockjoin_np(threads[2], &result, CLOCK_MONOTONIC, &deadline);
    assert(error == 0 || error == ETIMEDOUT);
  } while (error != 0);
  assert(result == &results[2]);
}
