// Expect: clean
// A sequence lock over atomic data.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<unsigned> sequence;
std::atomic<int> left, right;

int main() {
  std::thread writer([] {
    sequence.fetch_add(1);
    left.store(1, std::memory_order_release);
    right.store(1, std::memory_order_release);
    sequence.fetch_add(1);
  });
  unsigned before, after;
  int a, b;
  do {
    before = sequence.load();
    a = left.load(std::memory_order_acquire);
    b = right.load(std::memory_order_acquire);
    after = sequence.load();
  } while (before != after || before % 2 != 0);
  assert(a == b);
  writer.join();
}
