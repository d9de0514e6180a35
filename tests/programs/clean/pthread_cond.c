// Expect: clean
// pthread_cond_t: signal, broadcast, a CLOCK_MONOTONIC attribute, timedwait and clockwait.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t plain = PTHREAD_COND_INITIALIZER;
static pthread_cond_t monotonic;
static int started, go;

static struct timespec in_one_second(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  ++t.tv_sec;
  return t;
}

static void* waiter(void* unused) {
  (void)unused;
  pthread_mutex_lock(&mutex);
  ++started;
  assert(pthread_cond_signal(&plain) == 0);
  while (!go) {
    struct timespec t = in_one_second(CLOCK_MONOTONIC);
    int error = pthread_cond_timedwait(&monotonic, &mutex, &t);
    assert(error == 0 || error == ETIMEDOUT);
  }
  pthread_mutex_unlock(&mutex);
  return NULL;
}

int main(void) {
  pthread_condattr_t attr;
  clockid_t clock = -1;
  assert(pthread_condattr_init(&attr) == 0);
  assert(pthread_condattr_setclock(&attr, CLOCK_MONOTONIC) == 0);
  assert(pthread_condattr_getclock(&attr, &clock) == 0 && clock == CLOCK_MONOTONIC);
  assert(pthread_cond_init(&monotonic, &attr) == 0);
  assert(pthread_condattr_destroy(&attr) == 0);

  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, waiter, NULL);
  pthread_mutex_lock(&mutex);
  while (started < 2) assert(pthread_cond_wait(&plain, &mutex) == 0);
  go = 1;
  assert(pthread_cond_broadcast(&monotonic) == 0);
  pthread_mutex_unlock(&mutex);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);

  const clockid_t clocks[] = {CLOCK_MONOTONIC, CLOCK_REALTIME};
  for (int i = 0; i < 2; ++i) {
    struct timespec t = in_one_second(clocks[i]), now;
    pthread_mutex_lock(&mutex);
    while (pthread_cond_clockwait(&plain, &mutex, clocks[i], &t) != ETIMEDOUT) {
    }
    assert(pthread_mutex_trylock(&mutex) == EBUSY);
    pthread_mutex_unlock(&mutex);
    clock_gettime(clocks[i], &now);
    assert(now.tv_sec > t.tv_sec || (now.tv_sec == t.tv_sec && now.tv_nsec >= t.tv_nsec));
  }
  assert(pthread_cond_destroy(&monotonic) == 0 && pthread_cond_destroy(&plain) == 0);
}
