// Expect: clean
// The process ends while main holds a lock and another thread waits: threads are stopped there.
#include <pthread.h>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex held, mutex;
std::condition_variable never;

struct Destroyed {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  ~Destroyed() { pthread_mutex_destroy(&mutex); }
} destroyed;

std::atomic<bool> locked;

int main() {
  held.lock();
  std::thread([] {
    std::unique_lock lock(mutex);
    never.wait(lock, [] { return false; });
  }).detach();
  std::thread([] {
    pthread_mutex_lock(&destroyed.mutex);
    locked = true;
    held.lock();
  }).detach();
  while (!locked) std::this_thread::yield();  // or it could come when the mutex is gone
}
