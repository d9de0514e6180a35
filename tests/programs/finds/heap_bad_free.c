// Expect: heap
// Whoever comes second frees the middle of the block.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(char*) cursor;

static void* move_on(void* unused) {
  atomic_fetch_add(&cursor, 16);
  return unused;
}

int main(void) {
  cursor = malloc(64);
  pthread_t mover;
  pthread_create(&mover, NULL, move_on, NULL);
  char* seen = cursor;
  pthread_join(mover, NULL);
  free(seen);
  return 0;
}
