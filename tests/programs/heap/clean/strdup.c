// Expect: clean
// strdup, strndup and asprintf, with every character up to the zero.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  char *first = strdup("hello"), *second = strndup("hello", 2), *third;
  if (asprintf(&third, "%s %s", first, second) < 0) return 1;
  int length = 0;
  for (volatile char* c = third; *c != 0; ++c) ++length;
  free(first);
  free(second);
  free(third);
  return length != 8;
}
