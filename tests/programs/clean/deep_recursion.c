// Expect: clean
// Recursion that uses a megabyte of stack in each thread, with switches at every depth, and alloca.
#include <alloca.h>
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>

enum { kFrame = 8 << 10, kDepth = 128 };

static int down(int depth, char fill) {
  volatile char frame[kFrame];
  memset((char*)frame, fill, sizeof frame);
  int below = 0;
  if (depth % 16 == 0) sched_yield();
  if (depth > 0) below = down(depth - 1, fill);
  assert(frame[0] == fill && frame[kFrame / 2] == fill && frame[kFrame - 1] == fill);
  return below + 1;
}

static void* body(void* letter) {
  char fill = *(char*)letter;
  assert(down(kDepth, fill) == kDepth + 1);
  for (size_t size = 16; size <= 64 << 10; size *= 16) {
    char* block = alloca(size);
    memset(block, fill, size);
    sched_yield();
    assert(block[0] == fill && block[size - 1] == fill);
  }
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, body, "a");
  pthread_create(&b, NULL, body, "b");
  body("c");
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
