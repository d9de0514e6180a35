// Expect: clean
// pthread_barrier_t: exactly one serial thread a round, and nobody passes before all have come.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { kThreads = 3, kRounds = 3 };
static pthread_barrier_t barrier;
static atomic_int arrived, serial;

static void* body(void* unused) {
  (void)unused;
  for (int round = 1; round <= kRounds; ++round) {
    atomic_fetch_add(&arrived, 1);
    int result = pthread_barrier_wait(&barrier);
    assert(result == 0 || result == PTHREAD_BARRIER_SERIAL_THREAD);
    assert(atomic_load(&arrived) >= round * kThreads);
    if (result == PTHREAD_BARRIER_SERIAL_THREAD) atomic_fetch_add(&serial, 1);
  }
  return NULL;
}

int main(void) {
  assert(pthread_barrier_init(&barrier, NULL, kThreads) == 0);
  pthread_t threads[kThreads];
  for (int i = 0; i < kThreads; ++i) pthread_create(&threads[i], NULL, body, NULL);
  for (int i = 0; i < kThreads; ++i) pthread_join(threads[i], NULL);
  assert(serial == kRounds && arrived == kRounds * kThreads);
  assert(pthread_barrier_destroy(&barrier) == 0);
}
