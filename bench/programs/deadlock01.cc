// deadlock01: two threads take two locks in opposite order.
// Fails: the first has A and wants B, the second has B and wants A. Deadlock.
// Correct: both take A first.
#include <pthread.h>

#include "check.h"

static pthread_mutex_t lock_a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t lock_b = PTHREAD_MUTEX_INITIALIZER;
static int counter = 0;

static void Increment(pthread_mutex_t* first, pthread_mutex_t* second) {
  pthread_mutex_lock(first);
  pthread_mutex_lock(second);
  ++counter;
  pthread_mutex_unlock(second);
  pthread_mutex_unlock(first);
}

static void* Forwards(void*) {
  Increment(&lock_a, &lock_b);
  return nullptr;
}

static void* Backwards(void*) {
  if (kCorrect) {
    Increment(&lock_a, &lock_b);
  } else {
    Increment(&lock_b, &lock_a);
  }
  return nullptr;
}

int main() {
  pthread_t forwards, backwards;
  CHECK(pthread_create(&forwards, nullptr, Forwards, nullptr) == 0);
  CHECK(pthread_create(&backwards, nullptr, Backwards, nullptr) == 0);
  pthread_join(forwards, nullptr);
  pthread_join(backwards, nullptr);
  CHECK(counter == 2);
  return 0;
}
