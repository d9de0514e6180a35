// Expect: heap
// free of the address of a local variable.
#include <stdlib.h>

int main(void) {
  int numbers[4] = {0};
  void* volatile pointer = numbers;
  free(pointer);  // heap
  return 0;
}
