// Expect: race
// Plain C: the byte is sent before the data are written.
#include <pthread.h>
#include <unistd.h>

static int ends[2];
static int data;

static void* produce(void* unused) {
  if (write(ends[1], "x", 1) != 1) return 0;
  data = 42;  // race
  return unused;
}

int main(void) {
  pthread_t producer;
  char byte;
  if (pipe(ends) != 0) return 1;
  pthread_create(&producer, 0, produce, 0);
  if (read(ends[0], &byte, 1) != 1) return 1;
  volatile int seen = data;  // race
  pthread_join(producer, 0);
  return seen != 0 && seen != 42;
}
