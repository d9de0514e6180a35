// Expect: clean
// Large blocks: the first and the last byte, grown and freed.
#include <stdlib.h>

int main(void) {
  size_t size = 1000003;
  volatile char* block = malloc(size);
  block[0] = block[size - 1] = 1;
  block = realloc((void*)block, 3 * size);
  block[3 * size - 1] = 1;
  int sum = block[0] + block[size - 1] + block[3 * size - 1];
  free((void*)block);
  return sum != 3;
}
