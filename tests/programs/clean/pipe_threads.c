// Expect: clean
// A pipe between two threads: the reader blocks until the writer writes, and sees the end of file.
#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

static int there[2], back[2];

static void* echo(void* unused) {
  (void)unused;
  char buffer[16];
  ssize_t size;
  while ((size = read(there[0], buffer, sizeof buffer)) > 0)
    assert(write(back[1], buffer, (size_t)size) == size);
  assert(size == 0);
  assert(close(back[1]) == 0);
  return NULL;
}

int main(void) {
  assert(pipe(there) == 0 && pipe(back) == 0);
  pthread_t thread;
  pthread_create(&thread, NULL, echo, NULL);
  for (int i = 0; i < 3; ++i) {
    assert(write(there[1], "ping", 4) == 4);
    char buffer[4];
    for (size_t got = 0; got < 4;) {
      ssize_t size = read(back[0], buffer + got, 4 - got);
      assert(size > 0);
      got += (size_t)size;
    }
    assert(memcmp(buffer, "ping", 4) == 0);
  }
  assert(close(there[1]) == 0);
  char byte;
  assert(read(back[0], &byte, 1) == 0);
  pthread_join(thread, NULL);
  close(there[0]);
  close(back[0]);
}
