// Expect: race
// Plain C: one of the users relies on another one's pthread_once.
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int value;

static void make(void) {
  value = 42;  // race
}

static void* use_properly(void* unused) {
  pthread_once(&once, make);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, use_properly, 0);
  volatile int seen = value;  // race
  pthread_join(thread, 0);
  return seen != 0 && seen != 42;
}
