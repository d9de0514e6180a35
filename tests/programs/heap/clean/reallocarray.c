// Expect: clean
// reallocarray, also one that must fail and leave the block alone.
#define _GNU_SOURCE
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

int main(void) {
  volatile int* block = reallocarray(0, 4, sizeof(int));
  block[3] = 1;
  block = reallocarray((void*)block, 8, sizeof(int));
  block[7] = 2;
  volatile size_t too_many = SIZE_MAX / 2;
  if (reallocarray((void*)block, too_many, sizeof(int)) != 0 || errno != ENOMEM) return 1;
  int sum = block[3] + block[7];
  free((void*)block);
  return sum != 3;
}
