// Expect: clean
// New locks in the memory of old ones: after destroy, after free, and by a new object in place.
#include <pthread.h>

#include <memory>
#include <mutex>
#include <new>
#include <shared_mutex>
#include <thread>

union Memory {
  Memory() {}
  ~Memory() {}
  pthread_mutex_t posix;
  pthread_rwlock_t posix_rw;
  std::mutex mutex;
  std::shared_mutex shared;
};

template <class Use>
void by_two(Use use) {
  std::thread other(use);
  use();
  other.join();
}

int main() {
  Memory memory;
  pthread_mutex_init(&memory.posix, nullptr);
  by_two([&] {
    pthread_mutex_lock(&memory.posix);
    pthread_mutex_unlock(&memory.posix);
  });
  pthread_mutex_destroy(&memory.posix);
  new (&memory.mutex) std::mutex;
  by_two([&] { std::lock_guard guard(memory.mutex); });
  memory.mutex.~mutex();
  pthread_rwlock_init(&memory.posix_rw, nullptr);
  by_two([&] {
    pthread_rwlock_rdlock(&memory.posix_rw);
    pthread_rwlock_unlock(&memory.posix_rw);
  });
  pthread_rwlock_destroy(&memory.posix_rw);
  new (&memory.shared) std::shared_mutex;
  by_two([&] { std::shared_lock guard(memory.shared); });
  memory.shared.~shared_mutex();
  pthread_mutex_init(&memory.posix, nullptr);
  pthread_mutex_destroy(&memory.posix);
  for (int i = 0; i < 3; ++i) {
    auto mutex = std::make_unique<std::mutex>();
    by_two([&] { std::lock_guard guard(*mutex); });
  }
}
