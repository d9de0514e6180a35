// Expect: heap
// The old pointer is used after realloc has moved the block.
#include <stdlib.h>

int main(void) {
  volatile int* old = malloc(4 * sizeof(int));
  old[1] = 1;
  void* volatile wall = malloc(16);
  volatile int* grown = realloc((void*)old, 100000);
  int seen = 0;
  if (grown != old) seen = old[1];  // heap
  free((void*)grown);
  free(wall);
  return seen == -1;
}
