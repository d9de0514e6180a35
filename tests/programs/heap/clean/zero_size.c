// Expect: clean
// Blocks of no bytes are different from each other, and may be freed.
#include <stdlib.h>

int main(void) {
  void* volatile first = malloc(0);
  void* volatile second = calloc(0, 4);
  int same = first == second;
  free(first);
  free(second);
  return same;
}
