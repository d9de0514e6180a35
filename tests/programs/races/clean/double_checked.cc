// Expect: clean
// Double-checked locking with acquire and release.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

std::mutex mutex;
int storage;
std::atomic<int*> instance;

int main() {
  auto use = [] {
    int* found = instance.load(std::memory_order_acquire);
    if (found == nullptr) {
      std::lock_guard lock(mutex);
      found = instance.load(std::memory_order_relaxed);
      if (found == nullptr) {
        storage = 42;
        found = &storage;
        instance.store(found, std::memory_order_release);
      }
    }
    assert(*found == 42);
  };
  std::thread first(use), second(use), third(use);
  first.join();
  second.join();
  third.join();
}
