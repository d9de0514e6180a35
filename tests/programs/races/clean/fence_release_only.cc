// Expect: clean
// A release fence before a relaxed store, met by an acquire load.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<bool> ready;
int data;

int main() {
  std::thread producer([] {
    data = 42;
    std::atomic_thread_fence(std::memory_order_release);
    ready.store(true, std::memory_order_relaxed);
  });
  while (!ready.load(std::memory_order_acquire)) std::this_thread::yield();
  assert(data == 42);
  producer.join();
}
