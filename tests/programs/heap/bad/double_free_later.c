// Expect: heap
// A block is freed twice, with other blocks freed in between, so that the C library itself does not
// notice.
#include <stdlib.h>

static void* volatile blocks[3];

int main(void) {
  for (int i = 0; i < 3; ++i) blocks[i] = malloc(2000);
  free(blocks[0]);
  free(blocks[1]);
  free(blocks[0]);  // heap
  free(blocks[2]);
  return 0;
}
