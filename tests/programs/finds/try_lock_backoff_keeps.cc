// Expect: livelock | deadlock
// clean/try_lock_backoff.cc, where a thread keeps the first lock while it tries to get the second
// one.
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
    while (!two.try_lock()) std::this_thread::yield();
    ++moved;
    return;
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
