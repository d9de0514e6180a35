// bounded_buffer: producers and consumers of a one-place buffer wait on the same condition
// variable, and are woken by signal, not by broadcast.
// Fails: two consumers wait; a producer puts an item, waking the first, and then waits itself as
// the buffer is full; the first consumer takes the item and its signal wakes the second consumer,
// which finds nothing and waits again. The buffer is empty, and nobody is left to wake the
// producer: the wakeup was lost on the wrong thread.
// Correct: one condition variable for "not full" and one for "not empty".
#include <pthread.h>

#include "check.h"

enum { kPairs = 2, kItemsEach = 2 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;
static int full = 0;
static int item = 0;

static void* Producer(void*) {
  pthread_cond_t* room = kCorrect ? &not_full : &changed;
  pthread_cond_t* news = kCorrect ? &not_empty : &changed;
  for (int i = 1; i <= kItemsEach; ++i) {
    pthread_mutex_lock(&lock);
    while (full) pthread_cond_wait(room, &lock);
    full = 1;
    item = i;
    pthread_cond_signal(news);
    pthread_mutex_unlock(&lock);
  }
  return nullptr;
}

static void* Consumer(void*) {
  pthread_cond_t* room = kCorrect ? &not_full : &changed;
  pthread_cond_t* news = kCorrect ? &not_empty : &changed;
  for (int i = 1; i <= kItemsEach; ++i) {
    pthread_mutex_lock(&lock);
    while (!full) pthread_cond_wait(news, &lock);
    CHECK(item != 0);
    full = 0;
    item = 0;
    pthread_cond_signal(room);
    pthread_mutex_unlock(&lock);
  }
  return nullptr;
}

int main() {
  pthread_t producers[kPairs], consumers[kPairs];
  for (int i = 0; i < kPairs; ++i) {
    CHECK(pthread_create(&producers[i], nullptr, Producer, nullptr) == 0);
    CHECK(pthread_create(&consumers[i], nullptr, Consumer, nullptr) == 0);
  }
  for (int i = 0; i < kPairs; ++i) {
    pthread_join(producers[i], nullptr);
    pthread_join(consumers[i], nullptr);
  }
  return 0;
}
