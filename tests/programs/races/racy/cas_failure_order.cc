// Expect: race
// A compare_exchange that fails acquires nothing here: its second order is relaxed.
#include <atomic>
#include <thread>

std::atomic<int> state;
int data;

int main() {
  std::thread producer([] {
    data = 42;  // race
    state.store(1, std::memory_order_release);
  });
  int expected = 0;
  // Succeeds as long as the state is 0.
  while (state.compare_exchange_strong(expected, 0, std::memory_order_acquire,
                                       std::memory_order_relaxed))
    std::this_thread::yield();
  volatile int seen = data;  // race
  (void)seen;
  producer.join();
}
