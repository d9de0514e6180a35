// Expect: heap
// A block is read after it was freed.
#include <stdlib.h>

int main(void) {
  volatile int* block = malloc(4 * sizeof(int));
  block[2] = 1;
  free((void*)block);
  int seen = block[2];  // heap
  return seen == -1;
}
