// Expect: heap
// Behind the end of a large block, which the C library maps on its own.
#include <stdlib.h>

int main(int argc, char** argv) {
  (void)argv;
  size_t size = 1000003;
  volatile char* block = malloc(size);
  block[size - 1 + argc] = 1;  // heap
  free((void*)block);
  return 0;
}
