// Expect: clean
// A signal that one thread sends and another one waits for orders what came before it.
#include <pthread.h>
#include <signal.h>

static int data;
static sigset_t signals;

static void* wait_for_it(void* unused) {
  int number;
  sigwait(&signals, &number);
  return data == 1 ? 0 : unused;
}

int main(void) {
  pthread_t thread;
  sigemptyset(&signals);
  sigaddset(&signals, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &signals, 0);
  pthread_create(&thread, 0, wait_for_it, 0);
  data = 1;
  pthread_kill(thread, SIGUSR1);
  pthread_join(thread, 0);
  return 0;
}
