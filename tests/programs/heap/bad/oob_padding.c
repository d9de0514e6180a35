// Expect: heap
// Behind 13 bytes, within the three that the allocator rounds up by.
#include <stdlib.h>

int main(int argc, char** argv) {
  (void)argv;
  volatile char* block = malloc(13);
  block[12 + argc] = 1;  // heap
  free((void*)block);
  return 0;
}
