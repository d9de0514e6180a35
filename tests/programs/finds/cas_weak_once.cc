// Expect: assert
// compare_exchange_weak, tried once: it may fail although the value is the expected one.
#include <atomic>
#include <cassert>
#include <thread>

constexpr int kLimit = 4;
std::atomic<int> used;

bool TryTake() {
  int seen = used.load();
  return seen < kLimit && used.compare_exchange_weak(seen, seen + 1);
}

int main() {
  std::atomic<int> taken = 0;
  auto body = [&] {
    for (int i = 0; i < 2; ++i) taken += TryTake();
  };
  body();
  body();
  assert(taken == kLimit && used == kLimit);
}
