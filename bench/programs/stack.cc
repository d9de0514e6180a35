// stack: the pusher raises a flag with its first push; the popper pops whenever the flag is up,
// which never goes down.
// Fails: the pusher pushes once, the popper pops twice.
// Correct: the popper looks at the stack instead of the flag.
#include <pthread.h>

#include "check.h"

enum { kItems = 4 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int items[kItems];
static int top = 0;
static int pushed = 0;  // the flag

static void* Pusher(void*) {
  for (int i = 0; i < kItems; ++i) {
    pthread_mutex_lock(&lock);
    CHECK(top < kItems);
    items[top++] = i;
    pushed = 1;
    pthread_mutex_unlock(&lock);
  }
  return nullptr;
}

static void* Popper(void*) {
  int sum = 0;
  for (int i = 0; i < kItems; ++i) {
    pthread_mutex_lock(&lock);
    if (kCorrect ? top > 0 : pushed) {
      CHECK(top > 0);
      sum += items[--top];
    }
    pthread_mutex_unlock(&lock);
  }
  CHECK(sum <= kItems * (kItems - 1) / 2);
  return nullptr;
}

int main() {
  pthread_t pusher, popper;
  CHECK(pthread_create(&pusher, nullptr, Pusher, nullptr) == 0);
  CHECK(pthread_create(&popper, nullptr, Popper, nullptr) == 0);
  pthread_join(pusher, nullptr);
  pthread_join(popper, nullptr);
  return 0;
}
