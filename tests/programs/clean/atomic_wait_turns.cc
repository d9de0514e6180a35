// Expect: clean
// Two threads take turns by atomic wait and notify; each looks again after every wait.
#include <atomic>
#include <cassert>
#include <thread>

int main() {
  std::atomic<int> turn = 0;
  int value = 0;
  auto body = [&](int self) {
    for (int i = 0; i < 3; ++i) {
      for (int seen; (seen = turn.load()) != self;) turn.wait(seen);
      assert(value++ == 2 * i + self);
      turn.store(1 - self);
      turn.notify_one();
    }
  };
  std::thread a(body, 0), b(body, 1);
  a.join();
  b.join();
  assert(value == 6);
}
