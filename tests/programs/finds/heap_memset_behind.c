// Expect: heap
// The size is read after another thread has changed it: memset writes behind the block.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static volatile size_t size = 24;
static char* volatile block;

static void* grow(void* unused) {
  size = 32;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, grow, NULL);
  block = malloc(size);
  memset(block, 0, size);
  pthread_join(thread, NULL);
  free(block);
  return 0;
}
