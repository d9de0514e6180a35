// Expect: clean
// Plain C: pthread_once.
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int value;

static void make(void) { value += 42; }

static void* use(void* result) {
  pthread_once(&once, make);
  *(int*)result = value;
  return 0;
}

int main(void) {
  pthread_t threads[2];
  int seen[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], 0, use, &seen[i]);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
  return seen[0] != 42 || seen[1] != 42;
}
