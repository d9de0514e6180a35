// Expect: clean
// Mappings that grow elsewhere: the new place may have been another thread's before.
#define _GNU_SOURCE
#include <pthread.h>
#include <sys/mman.h>

enum { kPage = 4096, kPages = 40 };

static void* use(void* unused) {
  for (int i = 0; i < 3; ++i) {
    char* memory = mmap(0, kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memory = mremap(memory, kPage, kPage * kPages, MREMAP_MAYMOVE);
    memory[5000] = 2;
    munmap(memory, kPage * kPages);
  }
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, use, 0);
  pthread_create(&second, 0, use, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
