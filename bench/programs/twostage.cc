// twostage_N: N-1 writers set data1 under lock A, then data2 = data1 + 1 under lock B; one reader
// compares the two.
// Fails: no writer has set data2 yet, one is preempted between its stages; the reader sees data1=1,
// data2=0.
// Correct: lock A is held over both stages, by the writers and by the reader.
#include <pthread.h>

#include "check.h"

#ifndef THREADS
#define THREADS 2
#endif

static pthread_mutex_t lock_a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t lock_b = PTHREAD_MUTEX_INITIALIZER;
static volatile int data1 = 0;
static volatile int data2 = 0;

static void* Writer(void*) {
  pthread_mutex_lock(&lock_a);
  data1 = 1;
  if (!kCorrect) pthread_mutex_unlock(&lock_a);
  pthread_mutex_lock(&lock_b);
  data2 = data1 + 1;
  pthread_mutex_unlock(&lock_b);
  if (kCorrect) pthread_mutex_unlock(&lock_a);
  return nullptr;
}

static void* Reader(void*) {
  pthread_mutex_lock(&lock_a);
  int seen1 = data1;
  if (!kCorrect) pthread_mutex_unlock(&lock_a);
  if (seen1 != 0) {
    pthread_mutex_lock(&lock_b);
    int seen2 = data2;
    pthread_mutex_unlock(&lock_b);
    CHECK(seen2 == seen1 + 1);
  }
  if (kCorrect) pthread_mutex_unlock(&lock_a);
  return nullptr;
}

int main() {
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS - 1; ++i) {
    CHECK(pthread_create(&threads[i], nullptr, Writer, nullptr) == 0);
  }
  CHECK(pthread_create(&threads[THREADS - 1], nullptr, Reader, nullptr) == 0);
  for (pthread_t thread : threads) pthread_join(thread, nullptr);
  return 0;
}
