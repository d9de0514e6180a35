// Expect: clean
// Functions of the C library that allocate inside: getline, open_memstream, qsort, scandir's kin.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int compare(const void* a, const void* b) { return *(const int*)a - *(const int*)b; }

int main(void) {
  char* text = 0;
  size_t length = 0;
  FILE* stream = open_memstream(&text, &length);
  for (int i = 0; i < 500; ++i) fprintf(stream, "line %d\n", i);
  fclose(stream);
  FILE* input = fmemopen(text, length, "r");
  char* line = 0;
  size_t room = 0;
  int lines = 0;
  while (getline(&line, &room, input) > 0) ++lines;
  fclose(input);
  free(line);
  free(text);
  int* numbers = malloc(300 * sizeof(int));
  for (int i = 0; i < 300; ++i) numbers[i] = (i * 37) % 300;
  qsort(numbers, 300, sizeof(int), compare);
  int first = numbers[0];
  free(numbers);
  return lines != 500 || first != 0;
}
