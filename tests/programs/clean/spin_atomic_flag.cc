// Expect: clean
// A spin lock on atomic_flag that never yields, and a wait for a plain atomic: no schedule may spin
// forever.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic_flag flag;
std::atomic<bool> ready;
int count;

int main() {
  auto body = [] {
    while (!ready.load(std::memory_order_acquire)) {
    }
    for (int i = 0; i < 3; ++i) {
      while (flag.test_and_set(std::memory_order_acquire)) {
      }
      ++count;
      flag.clear(std::memory_order_release);
    }
  };
  std::thread a(body), b(body);
  ready.store(true, std::memory_order_release);
  a.join();
  b.join();
  assert(count == 6);
}
