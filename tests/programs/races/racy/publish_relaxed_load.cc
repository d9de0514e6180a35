// Expect: race
// A release store, but the load is relaxed.
#include <atomic>
#include <thread>

std::atomic<bool> ready;
int data;

int main() {
  std::thread producer([] {
    data = 42;  // race
    ready.store(true, std::memory_order_release);
  });
  while (!ready.load(std::memory_order_relaxed)) std::this_thread::yield();
  volatile int seen = data;  // race
  (void)seen;
  producer.join();
}
