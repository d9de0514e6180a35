// Expect: clean
// An error-checking mutex reports relocking, unlocking by another thread and unlocking when free.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t mutex;
static int count;

static void* stranger(void* unused) {
  (void)unused;
  assert(pthread_mutex_unlock(&mutex) == EPERM);
  assert(pthread_mutex_trylock(&mutex) == EBUSY);
  return NULL;
}

static void* adder(void* unused) {
  (void)unused;
  assert(pthread_mutex_lock(&mutex) == 0);
  ++count;
  assert(pthread_mutex_lock(&mutex) == EDEADLK);
  assert(pthread_mutex_unlock(&mutex) == 0);
  return NULL;
}

int main(void) {
  pthread_mutexattr_t attr;
  pthread_mutexattr_init(&attr);
  pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_ERRORCHECK);
  assert(pthread_mutex_init(&mutex, &attr) == 0);
  pthread_mutexattr_destroy(&attr);

  assert(pthread_mutex_unlock(&mutex) == EPERM);
  assert(pthread_mutex_lock(&mutex) == 0);
  assert(pthread_mutex_lock(&mutex) == EDEADLK);
  pthread_t thread, adders[2];
  pthread_create(&thread, NULL, stranger, NULL);
  pthread_join(thread, NULL);
  assert(pthread_mutex_unlock(&mutex) == 0);

  for (int i = 0; i < 2; ++i) pthread_create(&adders[i], NULL, adder, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(adders[i], NULL);
  assert(count == 2 && pthread_mutex_destroy(&mutex) == 0);
}
