// Expect: clean
// pthread_getattr_np: locals lie within the stated stack; a requested size, guard and own stack are
// respected.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

static void check(size_t at_least) {
  pthread_attr_t attr;
  void* low;
  size_t size;
  assert(pthread_getattr_np(pthread_self(), &attr) == 0);
  assert(pthread_attr_getstack(&attr, &low, &size) == 0);
  pthread_attr_destroy(&attr);
  char local;
  uintptr_t here = (uintptr_t)&local, bottom = (uintptr_t)low;
  assert(size >= at_least && here >= bottom && here < bottom + size);
}

static void* body(void* at_least) {
  sched_yield();
  check(*(size_t*)at_least);
  return NULL;
}

int main(void) {
  check(64 << 10);
  size_t sizes[] = {64 << 10, 256 << 10, 16 << 20};
  pthread_t threads[4];
  pthread_attr_t attr;
  pthread_attr_init(&attr);
  for (int i = 0; i < 3; ++i) {
    assert(pthread_attr_setstacksize(&attr, sizes[i]) == 0);
    assert(pthread_create(&threads[i], &attr, body, &sizes[i]) == 0);
  }
  void* own = aligned_alloc(4096, 256 << 10);
  assert(own != NULL && pthread_attr_setstack(&attr, own, 256 << 10) == 0);
  assert(pthread_create(&threads[3], &attr, body, &sizes[1]) == 0);
  pthread_attr_destroy(&attr);
  for (int i = 0; i < 4; ++i) assert(pthread_join(threads[i], NULL) == 0);
  free(own);
}
