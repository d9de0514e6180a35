// Expect: clean
// What malloc_usable_size says may be used.
#include <malloc.h>
#include <stdlib.h>

int main(void) {
  for (int size = 0; size < 50; size += 7) {
    volatile char* block = malloc(size);
    size_t usable = malloc_usable_size((void*)block);
    if (usable < (size_t)size) return 1;
    for (size_t i = 0; i < usable; ++i) block[i] = 1;
    free((void*)block);
  }
  return malloc_usable_size(0) != 0;
}
