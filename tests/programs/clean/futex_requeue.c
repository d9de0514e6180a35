// Expect: clean
// A futex of one's own, with waiters that are moved to another word and woken there.
#define _GNU_SOURCE
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int gate, second, woken;

static void* waits(void* unused) {
  syscall(SYS_futex, &gate, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
  atomic_fetch_add(&woken, 1);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, waits, NULL);
  long moved = syscall(SYS_futex, &gate, FUTEX_CMP_REQUEUE_PRIVATE, 0, (void*)2, &second, 0);
  assert(moved >= 0 && moved <= 2);
  atomic_store(&gate, 1);
  while (atomic_load(&woken) < 2) {
    syscall(SYS_futex, &second, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
    syscall(SYS_futex, &gate, FUTEX_WAKE_PRIVATE, 2, NULL, NULL, 0);
    sched_yield();
  }
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
}
