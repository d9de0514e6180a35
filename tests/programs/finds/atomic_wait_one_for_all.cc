// Expect: deadlock | lost-wakeup
// Three threads take turns on one atomic, and notify_one may wake the one whose turn it is not.
#include <atomic>
#include <cassert>
#include <thread>

int main() {
  std::atomic<int> turn = 0;
  int value = 0;
  auto body = [&](int self) {
    for (int i = 0; i < 3; ++i) {
      for (int seen; (seen = turn.load()) != self;) turn.wait(seen);
      assert(value++ == 3 * i + self);
      turn.store((self + 1) % 3);
      turn.notify_one();
    }
  };
  std::thread a(body, 0), b(body, 1), c(body, 2);
  a.join();
  b.join();
  c.join();
  assert(value == 9);
}
