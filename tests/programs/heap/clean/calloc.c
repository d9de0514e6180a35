// Expect: clean
// calloc clears, also memory that was used before.
#include <stdlib.h>
#include <string.h>

int main(void) {
  for (int round = 0; round < 3; ++round) {
    char* volatile block = calloc(10, 10);
    for (int i = 0; i < 100; ++i) {
      if (block[i] != 0) return 1;
    }
    memset(block, 7, 100);
    free(block);
  }
  return 0;
}
