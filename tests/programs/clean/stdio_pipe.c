// Expect: clean
// Streams that wait for what another thread of the program writes.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int ends[2];

static void* writes(void* unused) {
  for (int i = 0; i < 2; ++i) assert(write(ends[1], "line\n", 5) == 5);
  assert(syscall(SYS_write, ends[1], "x", 1) == 1);
  close(ends[1]);
  return unused;
}

int main(void) {
  assert(pipe(ends) == 0);
  pthread_t thread;
  pthread_create(&thread, NULL, writes, NULL);
  char first;
  assert(syscall(SYS_read, ends[0], &first, 1) == 1 && first == 'l');
  FILE* file = fdopen(ends[0], "r");
  char line[16];
  assert(fgets(line, sizeof line, file) && strcmp(line, "ine\n") == 0);
  assert(fgets(line, sizeof line, file) && strcmp(line, "line\n") == 0);
  assert(fgetc(file) == 'x' && fgetc(file) == EOF);
  fclose(file);
  pthread_join(thread, NULL);
}
