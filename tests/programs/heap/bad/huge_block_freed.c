// Expect: heap
// A large block is read after it was freed; the C library has given its pages back to the system.
#include <stdlib.h>

int main(void) {
  volatile char* block = malloc(1000003);
  block[500000] = 1;
  free((void*)block);
  return block[500000] == 2;  // heap
}
