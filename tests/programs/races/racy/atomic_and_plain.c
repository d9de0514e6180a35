// Expect: race
// Plain C: an atomic increment, and a plain read of the same variable.
#include <pthread.h>

static int counter;

static void* count(void* unused) {
  __atomic_fetch_add(&counter, 1, __ATOMIC_SEQ_CST);  // race
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, count, 0);
  volatile int seen = counter;  // race
  pthread_join(thread, 0);
  return seen > 1;
}
