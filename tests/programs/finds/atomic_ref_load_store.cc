// Expect: assert
// clean/atomic_ref_histogram.cc with a load and a store of the atomic_ref in place of the addition:
// counts are lost.
#include <atomic>
#include <cassert>
#include <thread>
#include <vector>

int main() {
  std::vector<int> counts(4);
  long largest = 0;
  auto body = [&](int seed) {
    for (int i = 0; i < 4; ++i) {
      int value = (seed * 7 + i * 3) % 10;
      std::atomic_ref count(counts[value % 4]);
      count.store(count.load() + 1);
      std::atomic_ref top(largest);
      long seen = top.load();
      while (seen < value && !top.compare_exchange_weak(seen, value)) {
      }
    }
  };
  std::thread a(body, 1), b(body, 2), c(body, 3);
  a.join();
  b.join();
  c.join();
  assert(counts[0] + counts[1] + counts[2] + counts[3] == 12);
  assert(largest == 9 || largest == 8 || largest == 7);
}
