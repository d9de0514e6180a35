// Expect: heap
// memcpy out of a block that was freed.
#include <stdlib.h>
#include <string.h>

static char target[1000];
static char* volatile source;

int main(int argc, char** argv) {
  (void)argv;
  source = calloc(1000, 1);
  free(source);
  memcpy(target, source, 1000 * argc);  // heap
  return target[5] == 77;
}
