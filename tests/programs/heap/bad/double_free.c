// Expect: heap
// A block is freed twice.
#include <stdlib.h>

static void* volatile block;

int main(void) {
  block = malloc(40);
  free(block);
  free(block);  // heap
  return 0;
}
