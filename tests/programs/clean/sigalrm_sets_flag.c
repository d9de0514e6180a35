// Expect: clean
// SIGALRM of a timer comes while threads work: its handler counts in an atomic, and main waits for
// it by sigsuspend with the signal blocked until then.
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/time.h>

static atomic_int alarms, work;

static void on_alarm(int number) {
  (void)number;
  atomic_fetch_add(&alarms, 1);
}

static void* works(void* unused) {
  for (int i = 0; i < 3; ++i) atomic_fetch_add(&work, 1);
  return unused;
}

int main(void) {
  sigset_t block, before;
  sigemptyset(&block);
  sigaddset(&block, SIGALRM);
  pthread_sigmask(SIG_BLOCK, &block, &before);
  struct sigaction action = {.sa_handler = on_alarm};
  sigaction(SIGALRM, &action, NULL);
  pthread_t a, b;
  pthread_create(&a, NULL, works, NULL);
  pthread_create(&b, NULL, works, NULL);
  struct itimerval timer = {.it_value = {.tv_usec = 1000}};
  setitimer(ITIMER_REAL, &timer, NULL);
  while (atomic_load(&alarms) == 0) sigsuspend(&before);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(atomic_load(&alarms) == 1 && atomic_load(&work) == 6);
}
