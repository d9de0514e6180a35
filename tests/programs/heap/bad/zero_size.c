// Expect: heap
// A block of no bytes has no first byte.
#include <stdlib.h>

int main(void) {
  volatile char* block = malloc(0);
  block[0] = 1;  // heap
  free((void*)block);
  return 0;
}
