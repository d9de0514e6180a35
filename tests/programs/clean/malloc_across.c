// Expect: clean
// Memory allocated in one thread, resized in the next and freed in a third; sizes from tiny to
// mmapped.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { kBlocks = 6 };
static const size_t sizes[kBlocks] = {1, 24, 100, 5000, 200000, 16};
static char* blocks[kBlocks];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int stage[kBlocks];

static void* body(void* stage_pointer) {
  int mine = *(int*)stage_pointer;
  for (int i = 0; i < kBlocks; ++i) {
    pthread_mutex_lock(&mutex);
    while (stage[i] != mine) pthread_cond_wait(&changed, &mutex);
    pthread_mutex_unlock(&mutex);
    if (mine == 0) memset(blocks[i] = malloc(sizes[i]), i, sizes[i]);
    if (mine == 1) blocks[i] = realloc(blocks[i], sizes[i] * 2);
    assert(blocks[i][0] == i && blocks[i][sizes[i] - 1] == i);
    if (mine == 2) free(blocks[i]);
    pthread_mutex_lock(&mutex);
    ++stage[i];
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&mutex);
    free(calloc(sizes[i], 2));
  }
  return NULL;
}

int main(void) {
  int stages[3] = {0, 1, 2};
  pthread_t threads[3];
  for (int i = 0; i < 3; ++i) pthread_create(&threads[i], NULL, body, &stages[i]);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
  for (int i = 0; i < kBlocks; ++i) assert(stage[i] == 3);
}
