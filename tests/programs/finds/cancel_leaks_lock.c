// Expect: deadlock
// A thread is cancelled at a cancellation point while it holds a mutex, without a cleanup handler.
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* body(void* unused) {
  pthread_mutex_lock(&mutex);
  usleep(10);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, body, NULL);
  pthread_cancel(thread);
  pthread_join(thread, NULL);
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
}
