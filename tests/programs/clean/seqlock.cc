// Expect: clean
// A sequence lock: a reader that overlaps a write retries, and never returns a torn pair.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<unsigned> sequence;
std::atomic<int> left, right;

int main() {
  std::thread writer([] {
    for (int i = 1; i <= 3; ++i) {
      sequence.fetch_add(1, std::memory_order_acq_rel);
      left.store(i, std::memory_order_release);
      right.store(-i, std::memory_order_release);
      sequence.fetch_add(1, std::memory_order_release);
    }
  });
  auto read = [] {
    int last = 0;
    for (int i = 0; i < 2; ++i) {
      unsigned before, after;
      int a, b;
      do {
        before = sequence.load(std::memory_order_acquire);
        a = left.load(std::memory_order_acquire);
        b = right.load(std::memory_order_acquire);
        after = sequence.load(std::memory_order_relaxed);
      } while (before != after || before % 2 != 0);
      assert(a + b == 0 && a >= last);
      last = a;
    }
  };
  std::thread r1(read), r2(read);
  writer.join();
  r1.join();
  r2.join();
}
