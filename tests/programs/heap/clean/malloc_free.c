// Expect: clean
// Every byte of blocks of all small sizes, and nothing else.
#include <stdlib.h>

int main(void) {
  for (int size = 1; size <= 70; ++size) {
    volatile char* block = malloc(size);
    for (int i = 0; i < size; ++i) block[i] = (char)i;
    for (int i = 0; i < size; ++i) {
      if (block[i] != (char)i) return 1;
    }
    free((void*)block);
  }
  return 0;
}
