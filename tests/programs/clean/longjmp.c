// Expect: clean
// setjmp and longjmp over several frames in each thread, and sigsetjmp with the signal mask.
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int total;

static void dive(jmp_buf target, int depth) {
  pthread_mutex_lock(&mutex);
  ++total;
  pthread_mutex_unlock(&mutex);
  if (depth == 0) longjmp(target, 7);
  if (depth < 9) dive(target, depth - 1);
}

static void* body(void* unused) {
  for (volatile int i = 0; i < 2; ++i) {
    jmp_buf target;
    int code = setjmp(target);
    if (code == 0) {
      sched_yield();
      dive(target, 3);
    }
    assert(code == 7);
  }
  sigjmp_buf with_mask;
  if (sigsetjmp(with_mask, 1) == 0) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    siglongjmp(with_mask, 1);
  }
  sigset_t now;
  pthread_sigmask(SIG_SETMASK, NULL, &now);
  assert(!sigismember(&now, SIGUSR1));
  return unused;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, body, NULL);
  body(NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  assert(total == 3 * 2 * 4);
}
