// Expect: clean
// raise, pthread_kill and kill: the handler runs in the right thread; one that wakes a sem_wait;
// EINTR is possible.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

static pthread_t target;
static atomic_int in_target, elsewhere, raised, to_process;
static sem_t woken, ready;

static void on_usr1(int number) {
  (void)number;
  int saved = errno;
  atomic_fetch_add(pthread_equal(pthread_self(), target) ? &in_target : &elsewhere, 1);
  sem_post(&woken);
  errno = saved;
}

static void on_usr2(int number) {
  (void)number;
  atomic_fetch_add(&raised, 1);
}

static void on_hup(int number, siginfo_t* info, void* context) {
  (void)context;
  if (number == SIGHUP && info->si_pid == getpid()) atomic_fetch_add(&to_process, 1);
}

static void* waits(void* unused) {
  sem_post(&ready);
  for (int i = 0; i < 2; ++i)
    while (sem_wait(&woken) != 0) assert(errno == EINTR);
  return unused;
}

int main(void) {
  struct sigaction action = {.sa_handler = on_usr1};
  assert(sigaction(SIGUSR1, &action, NULL) == 0);
  action.sa_handler = on_usr2;
  assert(sigaction(SIGUSR2, &action, NULL) == 0);
  action.sa_sigaction = on_hup;
  action.sa_flags = SA_SIGINFO;
  assert(sigaction(SIGHUP, &action, NULL) == 0);

  sem_init(&woken, 0, 0);
  sem_init(&ready, 0, 0);
  pthread_create(&target, NULL, waits, NULL);
  while (sem_wait(&ready) != 0) {
  }
  assert(pthread_kill(target, 0) == 0);
  assert(pthread_kill(target, SIGUSR1) == 0);
  while (in_target < 1) sched_yield();
  assert(pthread_kill(target, SIGUSR1) == 0);
  pthread_join(target, NULL);
  assert(in_target == 2 && elsewhere == 0);

  assert(raise(SIGUSR2) == 0 && raised == 1);
  assert(kill(getpid(), SIGHUP) == 0);
  while (to_process < 1) sched_yield();
}
