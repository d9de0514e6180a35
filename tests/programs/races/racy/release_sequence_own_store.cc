// Expect: race
// Since C++20, also a relaxed store by the producer itself ends its release sequence.
#include <atomic>
#include <thread>

std::atomic<int> state;
int data;

int main() {
  std::thread producer([] {
    data = 42;  // race
    state.store(1, std::memory_order_release);
    state.store(2, std::memory_order_relaxed);
  });
  while (state.load(std::memory_order_acquire) != 2) std::this_thread::yield();
  volatile int seen = data;  // race
  (void)seen;
  producer.join();
}
