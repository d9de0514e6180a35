// Expect: heap
// A character is written behind the terminating zero of a strdup.
#include <stdlib.h>
#include <string.h>

int main(int argc, char** argv) {
  (void)argv;
  volatile char* text = strdup("hello");
  text[5 + argc] = '!';  // heap
  free((void*)text);
  return 0;
}
