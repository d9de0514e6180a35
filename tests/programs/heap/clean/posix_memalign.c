// Expect: clean
// Aligned blocks of all kinds, used from the first to the last byte.
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>

static int use(void* block, size_t size, size_t alignment) {
  volatile char* bytes = block;
  if (block == 0 || (uintptr_t)block % alignment != 0) return 1;
  for (size_t i = 0; i < size; ++i) bytes[i] = (char)i;
  free(block);
  return 0;
}

int main(void) {
  void* block;
  for (size_t alignment = 16; alignment <= 4096; alignment *= 4) {
    if (posix_memalign(&block, alignment, 300) != 0 || use(block, 300, alignment)) return 1;
    if (use(aligned_alloc(alignment, 2 * alignment), 2 * alignment, alignment)) return 1;
    if (use(memalign(alignment, 77), 77, alignment)) return 1;
  }
  return 0;
}
