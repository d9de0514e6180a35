// Expect: heap
// memmove shifts the elements up, the last one out of the block.
#include <stdlib.h>
#include <string.h>

static char* volatile block;

int main(int argc, char** argv) {
  (void)argv;
  block = calloc(1000, 1);
  memmove(block + argc, block, 1000);  // heap
  free(block);
  return 0;
}
