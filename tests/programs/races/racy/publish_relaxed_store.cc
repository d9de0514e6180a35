// Expect: race
// An acquire load, but the store is relaxed.
#include <atomic>
#include <thread>

std::atomic<bool> ready;
int data;

int main() {
  std::thread producer([] {
    data = 42;  // race
    ready.store(true, std::memory_order_relaxed);
  });
  while (!ready.load(std::memory_order_acquire)) std::this_thread::yield();
  volatile int seen = data;  // race
  (void)seen;
  producer.join();
}
