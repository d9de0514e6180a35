// Expect: clean
// Plain C: a pipe as the only synchronisation: what was written before the write may be read after
// the read.
#include <pthread.h>
#include <unistd.h>

static int ends[2];
static int data;

static void* produce(void* unused) {
  data = 42;
  if (write(ends[1], "x", 1) != 1) return 0;
  return unused;
}

int main(void) {
  pthread_t producer;
  char byte;
  if (pipe(ends) != 0) return 1;
  pthread_create(&producer, 0, produce, 0);
  if (read(ends[0], &byte, 1) != 1) return 1;
  int seen = data;
  pthread_join(producer, 0);
  return seen != 42;
}
