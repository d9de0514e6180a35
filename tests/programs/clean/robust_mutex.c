// Expect: clean
// A robust mutex whose owner dies: the next locker, also one that already waits, gets EOWNERDEAD
// and repairs it.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t mutex;
static int died, repaired;

static void* dies(void* unused) {
  (void)unused;
  int error = pthread_mutex_lock(&mutex);
  if (error == EOWNERDEAD) {
    ++repaired;
    assert(pthread_mutex_consistent(&mutex) == 0);
  } else {
    assert(error == 0);
  }
  ++died;
  return NULL;  // with the mutex held
}

static void init(void) {
  pthread_mutexattr_t attr;
  pthread_mutexattr_init(&attr);
  assert(pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST) == 0);
  assert(pthread_mutex_init(&mutex, &attr) == 0);
  pthread_mutexattr_destroy(&attr);
}

int main(void) {
  init();
  pthread_t threads[3];
  for (int i = 0; i < 3; ++i) pthread_create(&threads[i], NULL, dies, NULL);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
  assert(pthread_mutex_trylock(&mutex) == EOWNERDEAD);
  assert(died == 3 && repaired == 2);
  assert(pthread_mutex_consistent(&mutex) == 0);
  assert(pthread_mutex_unlock(&mutex) == 0 && pthread_mutex_lock(&mutex) == 0);
  assert(pthread_mutex_unlock(&mutex) == 0 && pthread_mutex_destroy(&mutex) == 0);

  init();  // unlocked without repair: not recoverable
  pthread_create(&threads[0], NULL, dies, NULL);
  pthread_join(threads[0], NULL);
  assert(pthread_mutex_lock(&mutex) == EOWNERDEAD);
  assert(pthread_mutex_unlock(&mutex) == 0);
  assert(pthread_mutex_lock(&mutex) == ENOTRECOVERABLE);
  assert(pthread_mutex_destroy(&mutex) == 0);
}
