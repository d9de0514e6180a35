// Expect: clean
// A timer: the thread reads nothing before it waits, so there is nothing that it could have missed.
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;

static void* wait_a_minute(void* unused) {
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec += 60;
  pthread_mutex_lock(&mutex);
  pthread_cond_timedwait(&ready, &mutex, &until);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, wait_a_minute, 0);
  pthread_cond_signal(&ready);
  pthread_join(thread, 0);
  return 0;
}
