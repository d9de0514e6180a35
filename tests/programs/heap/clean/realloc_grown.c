// Expect: clean
// A grown block is used to its new end; its old part is as it was.
#include <stdlib.h>

int main(void) {
  volatile char* block = 0;
  for (int size = 1; size <= 3000; size += 333) {
    block = realloc((void*)block, size);
    block[size - 1] = (char)(size & 63);
    if (size > 333 && block[size - 334] != (char)((size - 333) & 63)) return 1;
  }
  block = realloc((void*)block, 10);
  block[9] = 1;
  free((void*)block);
  return 0;
}
