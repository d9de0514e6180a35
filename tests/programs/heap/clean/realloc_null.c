// Expect: clean
// realloc of a null pointer is malloc; free of one is nothing.
#include <stdlib.h>

int main(void) {
  volatile char* block = realloc(0, 20);
  block[19] = 1;
  free((void*)block);
  free(0);
  return 0;
}
