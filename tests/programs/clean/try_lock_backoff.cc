// Expect: clean
// Two locks in both orders without a deadlock: who does not get the second one gives up the first
// one and yields. std::try_lock does the same in one call.
#include <cassert>
#include <mutex>
#include <thread>

std::mutex left, right;
int moved;

void ByHand(std::mutex& first, std::mutex& second) {
  for (;;) {
    std::unique_lock one(first);
    std::unique_lock two(second, std::try_to_lock);
    if (two) {
      ++moved;
      return;
    }
    one.unlock();
    std::this_thread::yield();
  }
}

int main() {
  std::thread a([] { ByHand(left, right); });
  std::thread b([] { ByHand(right, left); });
  std::thread c([] {
    while (std::try_lock(right, left) != -1) std::this_thread::yield();
    std::scoped_lock locks(std::adopt_lock, left, right);
    ++moved;
  });
  a.join();
  b.join();
  c.join();
  assert(moved == 3);
}
