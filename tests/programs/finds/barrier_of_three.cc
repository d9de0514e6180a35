// Expect: assert
// std::barrier picks its slots by a hash of the threads' ids, which are addresses: the failure must
// come again all the same.
#include <atomic>
#include <barrier>
#include <cassert>
#include <thread>

std::barrier gate(3);
std::atomic<int> left{1};

void Buy() {
  gate.arrive_and_wait();
  if (left > 0) {
    --left;
    assert(left >= 0);
  }
}

int main() {
  std::thread a(Buy), b(Buy), c(Buy);
  a.join();
  b.join();
  c.join();
}
