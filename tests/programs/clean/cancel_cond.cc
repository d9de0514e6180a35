// Expect: clean
// pthread_cancel in pthread_cond_wait: the mutex is held again while the stack unwinds, cleanup
// handlers run.
#include <pthread.h>

#include <cassert>
#include <mutex>
#include <thread>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
bool waiting, cleaned, destroyed;

struct Unlocks {
  ~Unlocks() {
    destroyed = true;
    assert(cleaned);
    assert(pthread_mutex_unlock(&mutex) == 0);
  }
};

void* Body(void*) {
  pthread_mutex_lock(&mutex);
  Unlocks unlocks;
  waiting = true;
  pthread_cleanup_push([](void*) { cleaned = true; }, nullptr);
  for (;;) pthread_cond_wait(&cond, &mutex);
  pthread_cleanup_pop(0);
  return nullptr;
}

int main() {
  pthread_t thread;
  pthread_create(&thread, nullptr, Body, nullptr);
  for (bool seen = false; !seen;) {
    pthread_mutex_lock(&mutex);
    seen = waiting;
    pthread_mutex_unlock(&mutex);
    std::this_thread::yield();
  }
  assert(pthread_cancel(thread) == 0);
  void* result;
  assert(pthread_join(thread, &result) == 0 && result == PTHREAD_CANCELED);
  assert(cleaned && destroyed);
  assert(pthread_mutex_trylock(&mutex) == 0);
  pthread_mutex_unlock(&mutex);
}
