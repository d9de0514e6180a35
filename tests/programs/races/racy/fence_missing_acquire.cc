// Expect: race
// A release fence before the store, but nothing on the consumer's side.
#include <atomic>
#include <thread>

std::atomic<bool> ready;
int data;

int main() {
  std::thread producer([] {
    data = 42;  // race
    std::atomic_thread_fence(std::memory_order_release);
    ready.store(true, std::memory_order_relaxed);
  });
  while (!ready.load(std::memory_order_relaxed)) std::this_thread::yield();
  volatile int seen = data;  // race
  (void)seen;
  producer.join();
}
