// Expect: clean
// A compare_exchange that fails, with acquire as its second order.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> state;
int data;

int main() {
  std::thread producer([] {
    data = 42;
    state.store(1, std::memory_order_release);
  });
  int expected = 0;
  while (state.compare_exchange_strong(expected, 0, std::memory_order_acquire,
                                       std::memory_order_acquire))
    std::this_thread::yield();
  assert(data == 42);
  producer.join();
}
