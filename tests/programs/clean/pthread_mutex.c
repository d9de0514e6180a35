// Expect: clean
// pthread_mutex_t: static initialiser, lock, trylock, timedlock, init and destroy.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t fixed = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t made;
static int count, tries, timed;

static void* body(void* unused) {
  (void)unused;
  for (int i = 0; i < 3; ++i) {
    assert(pthread_mutex_lock(&fixed) == 0);
    ++count;
    assert(pthread_mutex_unlock(&fixed) == 0);

    int error = pthread_mutex_trylock(&made);
    assert(error == 0 || error == EBUSY);
    if (error != 0) assert(pthread_mutex_lock(&made) == 0);
    ++tries;
    assert(pthread_mutex_unlock(&made) == 0);

    struct timespec deadline;
    clock_gettime(CLOCK_REALTIME, &deadline);
    deadline.tv_sec += 1;
    error = pthread_mutex_timedlock(&made, &deadline);
    assert(error == 0 || error == ETIMEDOUT);
    if (error == 0) {
      ++timed;
      assert(pthread_mutex_unlock(&made) == 0);
    }
  }
  return NULL;
}

int main(void) {
  assert(pthread_mutex_init(&made, NULL) == 0);
  pthread_t threads[3];
  for (int i = 0; i < 3; ++i) assert(pthread_create(&threads[i], NULL, body, NULL) == 0);
  for (int i = 0; i < 3; ++i) assert(pthread_join(threads[i], NULL) == 0);
  assert(count == 9 && tries == 9 && timed <= 9);
  assert(pthread_mutex_destroy(&made) == 0);
}
