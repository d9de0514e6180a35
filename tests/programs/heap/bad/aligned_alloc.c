// Expect: heap
// A block of aligned_alloc is read after it was freed.
#include <stdlib.h>

int main(void) {
  volatile int* block = aligned_alloc(64, 128);
  block[20] = 1;
  free((void*)block);
  return block[20] == -1;  // heap
}
