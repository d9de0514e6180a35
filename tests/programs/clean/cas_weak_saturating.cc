// Expect: clean
// compare_exchange_weak in loops: a counter that stops at its limit, and says to each thread
// whether it has counted.
#include <atomic>
#include <cassert>
#include <thread>

constexpr int kLimit = 4;
std::atomic<int> used;

bool TryTake() {
  int seen = used.load();
  while (seen < kLimit)
    if (used.compare_exchange_weak(seen, seen + 1)) return true;
  return false;
}

int main() {
  std::atomic<int> taken = 0;
  auto body = [&] {
    for (int i = 0; i < 2; ++i) taken += TryTake();
  };
  std::thread a(body), b(body), c(body);
  a.join();
  b.join();
  c.join();
  assert(taken == kLimit && used == kLimit);
}
