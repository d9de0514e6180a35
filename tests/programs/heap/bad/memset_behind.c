// Expect: heap
// memset clears one byte too many.
#include <stdlib.h>
#include <string.h>

static char* volatile block;

int main(int argc, char** argv) {
  (void)argv;
  block = malloc(1000);
  memset(block, 0, 1000 + argc);  // heap
  free(block);
  return 0;
}
