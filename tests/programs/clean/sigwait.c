// Expect: clean
// A thread takes blocked signals by sigwait, sigwaitinfo and sigtimedwait; no handler ever runs.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

static sigset_t set;
static sem_t taken;

static void* waits(void* unused) {
  int number = 0;
  siginfo_t info;
  assert(sigwait(&set, &number) == 0 && number == SIGUSR1);
  sem_post(&taken);
  assert(sigwaitinfo(&set, &info) == SIGUSR2 && info.si_signo == SIGUSR2);
  sem_post(&taken);
  int got;
  do {
    got = sigtimedwait(&set, NULL, &(struct timespec){0, 1000000});
    assert(got == SIGTERM || (got == -1 && errno == EAGAIN));
  } while (got != SIGTERM);
  return unused;
}

int main(void) {
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  sigaddset(&set, SIGUSR2);
  sigaddset(&set, SIGTERM);
  assert(pthread_sigmask(SIG_BLOCK, &set, NULL) == 0);
  sem_init(&taken, 0, 0);
  pthread_t thread;
  pthread_create(&thread, NULL, waits, NULL);
  assert(pthread_kill(thread, SIGUSR1) == 0);
  assert(sem_wait(&taken) == 0);
  assert(kill(getpid(), SIGUSR2) == 0);
  assert(sem_wait(&taken) == 0);
  assert(kill(getpid(), SIGTERM) == 0);
  pthread_join(thread, NULL);

  sigset_t mask, pending;
  assert(pthread_sigmask(SIG_SETMASK, NULL, &mask) == 0 && sigismember(&mask, SIGTERM) == 1);
  assert(raise(SIGUSR1) == 0 && sigpending(&pending) == 0 && sigismember(&pending, SIGUSR1) == 1);
  assert(sigtimedwait(&set, NULL, &(struct timespec){0, 0}) == SIGUSR1);
}
