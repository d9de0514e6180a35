// Expect: clean
// A timerfd read by one thread while another works: it expires at least once, whatever the clocks
// say.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/timerfd.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int timer, count;

static void* waits(void* unused) {
  uint64_t expirations = 0;
  assert(read(timer, &expirations, sizeof expirations) == sizeof expirations && expirations == 1);
  pthread_mutex_lock(&mutex);
  ++count;
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
  struct itimerspec once = {.it_value = {0, 2000000}};
  assert(timer >= 0 && timerfd_settime(timer, 0, &once, NULL) == 0);
  pthread_t thread;
  pthread_create(&thread, NULL, waits, NULL);
  for (int i = 0; i < 3; ++i) {
    pthread_mutex_lock(&mutex);
    ++count;
    pthread_mutex_unlock(&mutex);
  }
  pthread_join(thread, NULL);
  assert(count == 4);
  close(timer);
}
