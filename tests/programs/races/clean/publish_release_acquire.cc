// Expect: clean
// A release store and an acquire load.
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
  while (!ready.load(std::memory_order_acquire)) std::this_thread::yield();
  assert(data == 42);
  producer.join();
}
