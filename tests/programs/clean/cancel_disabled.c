// Expect: clean
// A disabled cancel state holds a request back until it is enabled; pthread_testcancel; no cancel
// without a point.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <time.h>

static sem_t requested;
static atomic_int passed, handlers;

static void handler(void* unused) {
  (void)unused;
  atomic_fetch_add(&handlers, 1);
}

static void* disabled(void* unused) {
  int old;
  assert(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old) == 0 && old == PTHREAD_CANCEL_ENABLE);
  while (sem_wait(&requested) != 0) {
  }
  nanosleep(&(struct timespec){0, 1000}, NULL);
  pthread_testcancel();
  atomic_fetch_add(&passed, 1);
  pthread_cleanup_push(handler, NULL);
  pthread_cleanup_push(handler, NULL);
  assert(pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &old) == 0 && old == PTHREAD_CANCEL_DISABLE);
  pthread_testcancel();
  assert(!"cancelled before");
  pthread_cleanup_pop(0);
  pthread_cleanup_pop(0);
  return unused;
}

static void* no_point(void* unused) {
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&mutex);  // a mutex is not a cancellation point
  atomic_fetch_add(&passed, 1);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  sem_init(&requested, 0, 0);
  pthread_t thread;
  void* result;
  pthread_create(&thread, NULL, disabled, NULL);
  assert(pthread_cancel(thread) == 0);
  sem_post(&requested);
  assert(pthread_join(thread, &result) == 0 && result == PTHREAD_CANCELED);
  assert(passed == 1 && handlers == 2);

  pthread_create(&thread, NULL, no_point, &passed);
  assert(pthread_cancel(thread) == 0);
  assert(pthread_join(thread, &result) == 0 && result == &passed && passed == 2);
}
