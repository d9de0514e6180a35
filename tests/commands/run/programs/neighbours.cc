// What is not at the beginning of its word is called by its own name, done or about to be done.
#include <atomic>
#include <cassert>
#include <thread>

struct alignas(8) Stock {
  std::atomic<int> sold{0};
  std::atomic<int> left{1};
};
Stock stock;

void Buy() {
  if (stock.left > 0) {
    --stock.left;
    assert(stock.left >= 0);
  }
}

int main() {
  std::thread alice(Buy), bob(Buy);
  alice.join();
  bob.join();
}
