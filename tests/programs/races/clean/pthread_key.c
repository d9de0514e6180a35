// Expect: clean
// Plain C: the destructor of a thread-specific value frees it and counts, before the join returns.
#include <pthread.h>
#include <stdlib.h>

static pthread_key_t key;
static int freed;

static void destroy(void* block) {
  freed += *(int*)block;
  free(block);
}

static void* work(void* unused) {
  int* block = malloc(sizeof *block);
  *block = 1;
  pthread_setspecific(key, block);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_key_create(&key, destroy);
  for (int i = 0; i < 2; ++i) {
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
  }
  return freed != 2;
}
