// Expect: clean
// A spin lock made of an atomic_flag.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic_flag taken;
int counter;

int main() {
  auto body = [] {
    while (taken.test_and_set(std::memory_order_acquire)) std::this_thread::yield();
    ++counter;
    taken.clear(std::memory_order_release);
  };
  std::thread first(body), second(body), third(body);
  first.join();
  second.join();
  third.join();
  assert(counter == 3);
}
