// Expect: clean
// exit from a thread that is not main, while main waits for it: atexit handlers run in reverse
// order, once.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static int calls;

static void first_registered(void) {
  if (calls != 2) _exit(1);
}

static void second_registered(void) {
  if (++calls != 2) _exit(1);
}

static void third_registered(void) {
  if (++calls != 1) _exit(1);
}

static void* body(void* unused) {
  (void)unused;
  assert(atexit(third_registered) == 0);
  exit(0);
}

int main(void) {
  assert(atexit(first_registered) == 0 && atexit(second_registered) == 0);
  pthread_t thread;
  pthread_create(&thread, NULL, body, NULL);
  pthread_join(thread, NULL);
  _exit(1);
}
