// pbzip2: main queues blocks, two consumers compress them, and main deletes the queue when all
// blocks are written. The deletion is a flag here, so that a use after it is a failed CHECK and not
// undefined behaviour.
// Fails: a consumer has written the last block and goes back to the queue for more; main sees all
// blocks written and deletes the queue under its feet.
// Correct: join the consumers before the deletion.
#include <pthread.h>

#include "check.h"

enum { kBlocks = 2, kConsumers = 2 };

struct Queue {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;
  int blocks = 0;
  bool all_queued = false;
  volatile bool deleted = false;
};

static Queue queue;
static pthread_mutex_t written_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t written_changed = PTHREAD_COND_INITIALIZER;
static int written = 0;

// Takes a block off the queue; false when there will be no more.
static bool TakeBlock() {
  CHECK(!queue.deleted);
  pthread_mutex_lock(&queue.mutex);
  while (queue.blocks == 0 && !queue.all_queued) pthread_cond_wait(&queue.not_empty, &queue.mutex);
  bool got_one = queue.blocks > 0;
  if (got_one) --queue.blocks;
  CHECK(!queue.deleted);
  pthread_mutex_unlock(&queue.mutex);
  return got_one;
}

static void* Consumer(void*) {
  while (TakeBlock()) {
    pthread_mutex_lock(&written_mutex);
    ++written;
    pthread_cond_signal(&written_changed);
    pthread_mutex_unlock(&written_mutex);
  }
  return nullptr;
}

int main() {
  pthread_t consumers[kConsumers];
  for (pthread_t& consumer : consumers)
    CHECK(pthread_create(&consumer, nullptr, Consumer, nullptr) == 0);
  for (int i = 0; i < kBlocks; ++i) {
    pthread_mutex_lock(&queue.mutex);
    ++queue.blocks;
    queue.all_queued = i == kBlocks - 1;
    pthread_cond_broadcast(&queue.not_empty);
    pthread_mutex_unlock(&queue.mutex);
  }
  pthread_mutex_lock(&written_mutex);
  while (written < kBlocks) pthread_cond_wait(&written_changed, &written_mutex);
  pthread_mutex_unlock(&written_mutex);

  if (!kCorrect) queue.deleted = true;
  for (pthread_t consumer : consumers) pthread_join(consumer, nullptr);
  if (kCorrect) queue.deleted = true;
  return 0;
}
