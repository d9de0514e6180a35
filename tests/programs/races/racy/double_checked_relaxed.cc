// Expect: race
// Double-checked locking with an atomic pointer, but relaxed: who finds it set in the first check
// may not look behind it. (The second thread is sent there after the pointer is set.)
#include <atomic>
#include <mutex>
#include <thread>

std::mutex mutex;
int storage;
std::atomic<int*> instance;

int* get() {
  int* found = instance.load(std::memory_order_relaxed);
  if (found == nullptr) {
    std::lock_guard lock(mutex);
    found = instance.load(std::memory_order_relaxed);
    if (found == nullptr) {
      storage = 42;  // race
      found = &storage;
      instance.store(found, std::memory_order_relaxed);
    }
  }
  return found;
}

int main() {
  std::thread first(get);
  std::thread second([] {
    while (instance.load(std::memory_order_relaxed) == nullptr) std::this_thread::yield();
    volatile int seen = *get();  // race
    (void)seen;
  });
  first.join();
  second.join();
}
