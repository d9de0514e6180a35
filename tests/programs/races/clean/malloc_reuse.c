// Expect: clean
// Plain C: threads allocate, fill and free; the allocator hands the same memory to the next one. A
// block that is freed by another thread was handed over under a mutex.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char* handed_over;

static void* work(void* unused) {
  for (int i = 0; i < 4; ++i) {
    char* block = malloc(48);
    memset(block, i, 48);
    pthread_mutex_lock(&mutex);
    char* other = handed_over;
    handed_over = block;
    pthread_mutex_unlock(&mutex);
    if (other != 0) other[7] = 1;
    free(other);
    int* own = malloc(sizeof(int));
    *own = i;
    free(own);
  }
  return unused;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], 0, work, 0);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
  free(handed_over);
  return 0;
}
