// Expect: clean
// A release fence before a relaxed store, and an acquire fence behind a relaxed load.
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
  while (!ready.load(std::memory_order_relaxed)) std::this_thread::yield();
  std::atomic_thread_fence(std::memory_order_acquire);
  assert(data == 42);
  producer.join();
}
