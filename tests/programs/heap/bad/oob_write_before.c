// Expect: heap
// Four bytes before the block are written.
#include <stdlib.h>

int main(int argc, char** argv) {
  (void)argv;
  volatile int* block = malloc(32);
  volatile int* position = block - argc;
  int before = *position;  // heap
  *position = before;
  free((void*)block);
  return 0;
}
