// Expect: heap
// memcpy into a block that was freed.
#include <stdlib.h>
#include <string.h>

static char source[1000];
static char* volatile target;

int main(int argc, char** argv) {
  (void)argv;
  target = malloc(1000);
  free(target);
  memcpy(target, source, 1000 * argc);  // heap
  return 0;
}
