// Expect: heap
// Two threads find the buffer still there, and both free it.
#include <pthread.h>
#include <stdlib.h>

static char* buffer;

static void* drop(void* unused) {
  if (buffer != NULL) {
    free(buffer);
    buffer = NULL;
  }
  return unused;
}

int main(void) {
  buffer = malloc(100);
  pthread_t a, b;
  pthread_create(&a, NULL, drop, NULL);
  pthread_create(&b, NULL, drop, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
