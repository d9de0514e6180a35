// Expect: clean
// A relaxed counter is read after the joins; nothing else depends on it.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> counter;

int main() {
  auto body = [] {
    for (int i = 0; i < 3; ++i) counter.fetch_add(1, std::memory_order_relaxed);
  };
  std::thread first(body), second(body);
  volatile int meanwhile = counter.load(std::memory_order_relaxed);
  (void)meanwhile;
  first.join();
  second.join();
  assert(counter.load(std::memory_order_relaxed) == 6);
}
