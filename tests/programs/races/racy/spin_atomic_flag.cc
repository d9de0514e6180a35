// Expect: race
// A spin lock whose unlock is relaxed: it excludes, but does not publish.
#include <atomic>
#include <thread>

std::atomic_flag taken;
int counter;

int main() {
  auto body = [] {
    while (taken.test_and_set(std::memory_order_acquire)) std::this_thread::yield();
    ++counter;  // race
    taken.clear(std::memory_order_relaxed);
  };
  std::thread first(body), second(body);
  first.join();
  second.join();
}
