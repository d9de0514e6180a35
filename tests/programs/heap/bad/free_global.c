// Expect: heap
// free of the address of a global variable.
#include <stdlib.h>

static int numbers[4];
static void* volatile pointer = numbers;

int main(void) {
  free(pointer);  // heap
  return 0;
}
