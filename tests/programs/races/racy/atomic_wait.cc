// Expect: race
// atomic::wait with a relaxed order wakes up, but acquires nothing.
#include <atomic>
#include <thread>

std::atomic<int> ready;
int data;

int main() {
  std::thread producer([] {
    data = 42;  // race
    ready.store(1, std::memory_order_release);
    ready.notify_one();
  });
  ready.wait(0, std::memory_order_relaxed);
  volatile int seen = data;  // race
  (void)seen;
  producer.join();
}
