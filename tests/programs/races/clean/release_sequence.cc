// Expect: clean
// Relaxed read-modify-writes by another thread continue the release sequence of the producer.
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
  std::thread between([] {
    int expected = 1;
    while (!state.compare_exchange_weak(expected, 2, std::memory_order_relaxed)) {
      expected = 1;
      std::this_thread::yield();
    }
    state.fetch_add(1, std::memory_order_relaxed);
  });
  while (state.load(std::memory_order_acquire) != 3) std::this_thread::yield();
  assert(data == 42);
  producer.join();
  between.join();
}
