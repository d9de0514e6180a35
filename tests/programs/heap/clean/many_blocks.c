// Expect: clean
// Ten thousand blocks at a time, freed in another order.
#include <stdlib.h>

enum { kBlocks = 10000 };
static int* blocks[kBlocks];

int main(void) {
  for (int i = 0; i < kBlocks; ++i) {
    blocks[i] = malloc(sizeof(int) * (1 + i % 7));
    *blocks[i] = i;
  }
  long sum = 0;
  for (int i = 0; i < kBlocks; ++i) {
    int* block = blocks[(i * 7) % kBlocks];
    sum += *block;
    free(block);
  }
  return sum != (long)kBlocks * (kBlocks - 1) / 2;
}
