// Expect: heap
// Behind the end of a block of posix_memalign.
#include <stdlib.h>

int main(int argc, char** argv) {
  (void)argv;
  void* block;
  if (posix_memalign(&block, 256, 300) != 0) return 1;
  volatile char* bytes = block;
  bytes[299 + argc] = 1;  // heap
  free(block);
  return 0;
}
