// Expect: clean
// memcpy, memmove and memset over exactly the whole of a block.
#include <stdlib.h>
#include <string.h>

static char* volatile from, * volatile to;

int main(int argc, char** argv) {
  (void)argv;
  size_t size = 1000 * argc;
  from = malloc(size);
  to = malloc(size);
  memset(from, 'x', size);
  memcpy(to, from, size);
  memmove(to, to + 1, size - 1);
  int good = to[0] == 'x' && to[size - 1] == 'x';
  free(from);
  free(to);
  return !good;
}
