// Expect: clean
// Signal masks belong to threads and are inherited; a signal that is pending is delivered when it
// is unblocked.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

static atomic_int handled;

static void handler(int number) {
  (void)number;
  atomic_fetch_add(&handled, 1);
}

static int blocked(int number) {
  sigset_t mask;
  pthread_sigmask(SIG_SETMASK, NULL, &mask);
  return sigismember(&mask, number);
}

static void* body(void* unused) {
  sigset_t set;
  assert(blocked(SIGUSR1) && !blocked(SIGUSR2));
  sigemptyset(&set);
  sigaddset(&set, SIGUSR2);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  for (int i = 0; i < 3; ++i) {
    sched_yield();
    assert(blocked(SIGUSR1) && blocked(SIGUSR2));
  }
  return unused;
}

int main(void) {
  signal(SIGUSR1, handler);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  pthread_t thread;
  pthread_create(&thread, NULL, body, NULL);
  assert(raise(SIGUSR1) == 0);
  for (int i = 0; i < 3; ++i) {
    sched_yield();
    assert(handled == 0 && blocked(SIGUSR1) && !blocked(SIGUSR2));
  }
  pthread_sigmask(SIG_UNBLOCK, &set, NULL);
  assert(handled == 1);
  pthread_join(thread, NULL);
}
