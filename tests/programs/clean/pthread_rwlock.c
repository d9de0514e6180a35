// Expect: clean
// pthread_rwlock_t: try, timed and clock variants for readers and writers; writer preference
// attribute.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_rwlock_t lock;
static int left, right;

static struct timespec in_one_second(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  ++t.tv_sec;
  return t;
}

static void* writer(void* unused) {
  (void)unused;
  for (int kind = 0; kind < 4; ++kind) {
    struct timespec real = in_one_second(CLOCK_REALTIME),
                    monotonic = in_one_second(CLOCK_MONOTONIC);
    int error = kind == 0   ? pthread_rwlock_wrlock(&lock)
                : kind == 1 ? pthread_rwlock_trywrlock(&lock)
                : kind == 2 ? pthread_rwlock_timedwrlock(&lock, &real)
                            : pthread_rwlock_clockwrlock(&lock, CLOCK_MONOTONIC, &monotonic);
    assert(error == 0 || error == (kind == 1 ? EBUSY : ETIMEDOUT));
    if (error != 0) continue;
    ++left;
    ++right;
    assert(pthread_rwlock_unlock(&lock) == 0);
  }
  return NULL;
}

static void* reader(void* unused) {
  (void)unused;
  for (int kind = 0; kind < 4; ++kind) {
    struct timespec real = in_one_second(CLOCK_REALTIME),
                    monotonic = in_one_second(CLOCK_MONOTONIC);
    int error = kind == 0   ? pthread_rwlock_rdlock(&lock)
                : kind == 1 ? pthread_rwlock_tryrdlock(&lock)
                : kind == 2 ? pthread_rwlock_timedrdlock(&lock, &real)
                            : pthread_rwlock_clockrdlock(&lock, CLOCK_MONOTONIC, &monotonic);
    assert(error == 0 || error == (kind == 1 ? EBUSY : ETIMEDOUT));
    if (error != 0) continue;
    assert(left == right);
    assert(pthread_rwlock_unlock(&lock) == 0);
  }
  return NULL;
}

int main(void) {
  const int preferences[] = {PTHREAD_RWLOCK_PREFER_READER_NP,
                             PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP};
  for (int i = 0; i < 2; ++i) {
    pthread_rwlockattr_t attr;
    pthread_rwlockattr_init(&attr);
    assert(pthread_rwlockattr_setkind_np(&attr, preferences[i]) == 0);
    assert(pthread_rwlock_init(&lock, &attr) == 0);
    pthread_rwlockattr_destroy(&attr);
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, writer, NULL);
    pthread_create(&threads[1], NULL, reader, NULL);
    pthread_create(&threads[2], NULL, writer, NULL);
    for (int t = 0; t < 3; ++t) pthread_join(threads[t], NULL);
    assert(pthread_rwlock_wrlock(&lock) == 0);
    assert(pthread_rwlock_rdlock(&lock) == EDEADLK && pthread_rwlock_tryrdlock(&lock) == EBUSY);
    assert(pthread_rwlock_unlock(&lock) == 0);
    assert(left == right && left >= 2 && pthread_rwlock_destroy(&lock) == 0);
  }
}
