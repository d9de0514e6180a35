// Expect: clean
// What is specified is no misuse: a trylock or a timed lock of one's own mutex, and the errors of
// mutexes that check.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t plain = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t checking = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

static void* body(void* unused) {
  struct timespec soon;
  pthread_mutex_lock(&plain);
  assert(pthread_mutex_trylock(&plain) == EBUSY);
  clock_gettime(CLOCK_REALTIME, &soon);
  soon.tv_sec += 1;
  assert(pthread_mutex_timedlock(&plain, &soon) == ETIMEDOUT);
  pthread_mutex_unlock(&plain);

  assert(pthread_mutex_unlock(&checking) == EPERM);
  assert(pthread_cond_wait(&condition, &checking) == EPERM);
  pthread_mutex_lock(&checking);
  assert(pthread_mutex_lock(&checking) == EDEADLK);
  pthread_mutex_unlock(&checking);

  assert(pthread_mutex_unlock(&recursive) == EPERM);
  pthread_mutex_lock(&recursive);
  pthread_mutex_lock(&recursive);
  pthread_mutex_unlock(&recursive);
  pthread_mutex_unlock(&recursive);

  pthread_rwlock_rdlock(&rwlock);
  pthread_rwlock_rdlock(&rwlock);
  assert(pthread_rwlock_trywrlock(&rwlock) == EBUSY);
  clock_gettime(CLOCK_REALTIME, &soon);
  soon.tv_sec += 1;
  assert(pthread_rwlock_timedwrlock(&rwlock, &soon) == ETIMEDOUT);
  pthread_rwlock_unlock(&rwlock);
  pthread_rwlock_unlock(&rwlock);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, body, NULL);
  body(NULL);
  pthread_join(thread, NULL);
}
