// Expect: heap
// The element behind the last one is read.
#include <stdlib.h>

int main(void) {
  volatile int* block = calloc(4, sizeof(int));
  int sum = 0;
  for (int i = 0; i <= 4; ++i) sum += block[i];  // heap
  free((void*)block);
  return sum == -1;
}
