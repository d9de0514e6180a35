// Expect: clean
// A test-and-test-and-set lock whose waiters yield, also by sleeping a little.
#include <sched.h>

#include <atomic>
#include <cassert>
#include <chrono>
#include <thread>

std::atomic<bool> locked;
int count;

void Lock(int way) {
  while (locked.exchange(true, std::memory_order_acquire))
    while (locked.load(std::memory_order_relaxed)) {
      if (way == 0) std::this_thread::yield();
      if (way == 1) sched_yield();
      if (way == 2) std::this_thread::sleep_for(std::chrono::microseconds(1));
    }
}

int main() {
  auto body = [](int way) {
    for (int i = 0; i < 2; ++i) {
      Lock(way);
      ++count;
      locked.store(false, std::memory_order_release);
    }
  };
  std::thread a(body, 0), b(body, 1), c(body, 2);
  a.join();
  b.join();
  c.join();
  assert(count == 6);
}
