// Expect: assert
// A counter for each processor, and threads that believe they are alone on theirs. Which counter a
// thread takes must not depend on where the kernel has put the process, or no replay would do the
// same. Three threads: also on a machine with many processors two of them are sent to one.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int counters[CPU_SETSIZE];
static atomic_int history;

static void* worker(void* pinned) {
  if (pinned) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(0, &set);
    assert(sched_setaffinity(0, sizeof set, &set) == 0);
    assert(sched_getcpu() == 0);
  }
  int processor = sched_getcpu();
  // More steps on some processors than on others: a schedule fits only if the numbers are the same.
  for (int i = 0; i < processor % 8; ++i) atomic_fetch_add(&history, 1);
  int seen = atomic_load(&counters[processor]);
  atomic_store(&counters[processor], seen + 1);
  assert(atomic_load(&counters[processor]) == seen + 1);
  return 0;
}

int main(void) {
  pthread_t threads[3];
  static int pinned;
  for (int i = 0; i < 3; ++i) pthread_create(&threads[i], 0, worker, i < 2 ? &pinned : 0);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], 0);
  return 0;
}
