// Expect: clean
// A release store, met by a relaxed load with an acquire fence behind it.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<bool> ready;
int data;

int main() {
  std::thread producer([] {
    data = 42;
    ready.store(true, std::memory_order_release);
  });
  while (!ready.load(std::memory_order_relaxed)) std::this_thread::yield();
  std::atomic_thread_fence(std::memory_order_acquire);
  assert(data == 42);
  producer.join();
}
