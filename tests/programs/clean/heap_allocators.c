// Expect: clean
// Every function of the allocator, as it is documented.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Compilers take for granted that these succeed and leave errno alone.
static void* (*volatile any_malloc)(size_t) = malloc;
static void* (*volatile any_calloc)(size_t, size_t) = calloc;
static void* (*volatile any_realloc)(void*, size_t) = realloc;

static int aligned(const void* block, size_t alignment) {
  return block != NULL && (uintptr_t)block % alignment == 0;
}

static void* use_all(void* unused) {
  char* block = malloc(100);
  assert(aligned(block, 16) && malloc_usable_size(block) >= 100);
  memset(block, 1, 100);
  block = realloc(block, 10000);
  assert(aligned(block, 16) && block[0] == 1 && block[99] == 1);
  block = realloc(block, 10);
  assert(block[9] == 1);
  block = reallocarray(block, 10, 20);
  assert(block[9] == 1);
  free(block);

  unsigned char* zero = calloc(30, 11);
  for (int i = 0; i < 330; ++i) assert(zero[i] == 0);
  memset(zero, 255, 330);
  free(zero);
  zero = calloc(30, 11);
  for (int i = 0; i < 330; ++i) assert(zero[i] == 0);
  free(zero);

  void* empty[2] = {malloc(0), malloc(0)};
  assert(empty[0] != NULL && empty[1] != NULL && empty[0] != empty[1]);
  free(empty[0]);
  free(empty[1]);
  free(NULL);
  assert(malloc_usable_size(NULL) == 0);
  free(realloc(NULL, 5));

  void* memory = NULL;
  for (size_t alignment = 8; alignment <= 65536; alignment *= 2) {
    assert(posix_memalign(&memory, alignment, 33) == 0 && aligned(memory, alignment));
    memset(memory, 2, 33);
    free(memory);
  }
  assert(posix_memalign(&memory, 12, 1) == EINVAL && posix_memalign(&memory, 4, 1) == EINVAL);
  memory = aligned_alloc(64, 128);
  assert(aligned(memory, 64));
  memory = realloc(memory, 256);
  assert(memory != NULL);
  free(memory);
  memory = memalign(32, 1);
  assert(aligned(memory, 32));
  free(memory);
  memory = valloc(1);
  assert(aligned(memory, 4096));
  free(memory);
  memory = pvalloc(1);
  assert(aligned(memory, 4096) && malloc_usable_size(memory) >= 4096);
  memset(memory, 3, 4096);
  free(memory);

  volatile size_t too_much = SIZE_MAX - 8;
  errno = 0;
  assert(any_malloc(too_much) == NULL && errno == ENOMEM);
  errno = 0;
  assert(any_calloc(too_much, 16) == NULL && errno == ENOMEM);
  block = malloc(7);
  errno = 0;
  assert(any_realloc(block, too_much) == NULL && errno == ENOMEM);
  errno = 0;
  assert(reallocarray(block, too_much, 2) == NULL && errno == ENOMEM);
  errno = 5;
  free(block);
  assert(errno == 5);

  // Allocated by libc itself.
  char* copy = strdup("a string that libc copies");
  assert(copy[2] == 's');
  free(copy);
  assert(asprintf(&copy, "%d", 12345) == 5);
  free(copy);

  // Large, and larger than what is kept aside.
  for (size_t size = 1 << 20; size <= 64 << 20; size *= 4) {
    block = malloc(size);
    assert(block != NULL);
    block[0] = block[size - 1] = 1;
    free(block);
  }
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, use_all, NULL);
  pthread_create(&b, NULL, use_all, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
