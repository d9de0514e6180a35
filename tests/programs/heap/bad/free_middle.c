// Expect: heap
// free of a pointer into the middle of a block.
#include <stdlib.h>

static char* volatile block;

int main(void) {
  block = malloc(64);
  free(block + 16);  // heap
  return 0;
}
