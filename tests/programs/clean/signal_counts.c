// Expect: clean
// A handler that interrupts its own thread's work counts in an atomic of the thread; main sums up
// after the joins.
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

static _Thread_local atomic_int mine;
static atomic_int total;

static void on_usr1(int number) {
  (void)number;
  atomic_fetch_add(&mine, 1);
}

static void* body(void* unused) {
  for (int i = 0; i < 3; ++i) {
    pthread_kill(pthread_self(), SIGUSR1);
    assert(atomic_load(&mine) == i + 1);
  }
  atomic_fetch_add(&total, atomic_load(&mine));
  return unused;
}

int main(void) {
  struct sigaction action = {.sa_handler = on_usr1};
  sigaction(SIGUSR1, &action, NULL);
  pthread_t a, b;
  pthread_create(&a, NULL, body, NULL);
  pthread_create(&b, NULL, body, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(atomic_load(&total) == 6);
}
