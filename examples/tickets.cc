// The last ticket can be sold twice: another buyer may come between the check and the sale.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> left = 1;

void Buy() {
  if (left > 0) {
    --left;
    assert(left >= 0);
  }
}

int main() {
  std::thread alice(Buy), bob(Buy);
  alice.join();
  bob.join();
}
