// Expect: clean
// stdio's own locks: flockfile held over other operations, a getc lock taken recursively,
// ftrylockfile.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static FILE* file;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* body(void* letter) {
  for (int i = 0; i < 2; ++i) {
    flockfile(file);
    fputc(*(char*)letter, file);
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    putc_unlocked(*(char*)letter, file);
    funlockfile(file);
    if (ftrylockfile(file) == 0) funlockfile(file);
  }
  return NULL;
}

int main(void) {
  char buffer[64] = "";
  file = fmemopen(buffer, sizeof buffer, "w");
  assert(file != NULL);
  pthread_t a, b;
  pthread_create(&a, NULL, body, "a");
  pthread_create(&b, NULL, body, "b");
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  fclose(file);
  assert(strlen(buffer) == 8);
  for (int i = 0; i < 8; i += 2) assert(buffer[i] == buffer[i + 1]);
}
