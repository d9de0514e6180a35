// reorder_N: N-1 setters store a, then b; one checker must see both stores or neither.
// Fails: no setter has stored b yet, one has stored a and is preempted; the checker reads a=1, b=0.
// Correct: both stores, and both loads, under one lock.
#include <pthread.h>

#include "check.h"

#ifndef THREADS
#define THREADS 3
#endif

static volatile int a = 0;
static volatile int b = 0;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void* Setter(void*) {
  if (kCorrect) pthread_mutex_lock(&lock);
  a = 1;
  b = -1;
  if (kCorrect) pthread_mutex_unlock(&lock);
  return nullptr;
}

static void* Checker(void*) {
  if (kCorrect) pthread_mutex_lock(&lock);
  CHECK((a == 0 && b == 0) || (a == 1 && b == -1));
  if (kCorrect) pthread_mutex_unlock(&lock);
  return nullptr;
}

int main() {
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS - 1; ++i) {
    CHECK(pthread_create(&threads[i], nullptr, Setter, nullptr) == 0);
  }
  CHECK(pthread_create(&threads[THREADS - 1], nullptr, Checker, nullptr) == 0);
  for (pthread_t thread : threads) pthread_join(thread, nullptr);
  return 0;
}
