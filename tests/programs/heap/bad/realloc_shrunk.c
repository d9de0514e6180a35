// Expect: heap
// A block is used beyond its end after it was made smaller.
#include <stdlib.h>

int main(void) {
  volatile char* block = malloc(200);
  block[150] = 1;
  block = realloc((void*)block, 100);
  int seen = block[150];  // heap
  free((void*)block);
  return seen == -1;
}
