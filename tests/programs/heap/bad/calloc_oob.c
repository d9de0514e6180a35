// Expect: heap
// Rows and columns exchanged: behind the end of a calloc.
#include <stdlib.h>

enum { kRows = 3, kColumns = 5 };

int main(void) {
  volatile short* table = calloc(kRows * kColumns, sizeof(short));
  int row = 4, column = 1;
  table[row * kRows + column] = 1;
  row = 2, column = 5;
  table[row * kColumns + column] = 1;  // heap
  free((void*)table);
  return 0;
}
