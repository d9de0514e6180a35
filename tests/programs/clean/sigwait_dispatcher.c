// Expect: clean
// One thread takes all signals by sigwait and works on them under a lock; the others only send.
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static sigset_t set;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int reloads, stopped;

static void* dispatches(void* unused) {
  for (;;) {
    int number;
    assert(sigwait(&set, &number) == 0);
    pthread_mutex_lock(&mutex);
    if (number == SIGHUP) ++reloads;
    if (number == SIGTERM) stopped = 1;
    pthread_cond_broadcast(&cond);
    pthread_mutex_unlock(&mutex);
    if (number == SIGTERM) return unused;
  }
}

static void* works(void* unused) {
  kill(getpid(), SIGHUP);
  pthread_mutex_lock(&mutex);
  while (reloads == 0) pthread_cond_wait(&cond, &mutex);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  sigemptyset(&set);
  sigaddset(&set, SIGHUP);
  sigaddset(&set, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  pthread_t dispatcher, worker[2];
  pthread_create(&dispatcher, NULL, dispatches, NULL);
  for (int i = 0; i < 2; ++i) pthread_create(&worker[i], NULL, works, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(worker[i], NULL);
  kill(getpid(), SIGTERM);
  pthread_join(dispatcher, NULL);
  assert(stopped && reloads >= 1);
}
