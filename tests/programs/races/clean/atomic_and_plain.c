// Expect: clean
// Plain C: atomic operations while there are threads, plain accesses before and after.
#include <pthread.h>

static int counter;

static void* count(void* unused) {
  __atomic_fetch_add(&counter, 1, __ATOMIC_RELAXED);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  counter = 3;
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], 0, count, 0);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
  return counter != 5;
}
