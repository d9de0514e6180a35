// Expect: assert
// clean/cas_weak_saturating.cc with a load and an add in place of the compare_exchange: the limit
// is passed.
#include <atomic>
#include <cassert>
#include <thread>

constexpr int kLimit = 4;
std::atomic<int> used;

bool TryTake() {
  int seen = used.load();
  while (seen < kLimit) {
    used = seen + 1;
    return true;
  }
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
