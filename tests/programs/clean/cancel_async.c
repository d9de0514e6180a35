// Expect: clean
// Asynchronous cancel type: a loop without cancellation points is ended, and its cleanup handler
// runs.
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int spinning, cleaned;
static atomic_long turns;

static void cleanup(void* unused) {
  (void)unused;
  atomic_store(&cleaned, 1);
}

static void* body(void* unused) {
  int old;
  pthread_cleanup_push(cleanup, NULL);
  assert(pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &old) == 0 &&
         old == PTHREAD_CANCEL_DEFERRED);
  atomic_store(&spinning, 1);
  for (;;) atomic_fetch_add(&turns, 1);
  pthread_cleanup_pop(0);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, body, NULL);
  while (!spinning) sched_yield();
  assert(pthread_cancel(thread) == 0);
  void* result;
  assert(pthread_join(thread, &result) == 0 && result == PTHREAD_CANCELED);
  assert(cleaned == 1);
}
