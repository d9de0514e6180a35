// Expect: livelock
// A thread backs off politely from a lock whose owner waits for it.
#include <atomic>
#include <mutex>
#include <thread>

std::mutex left, right;
std::atomic<bool> ready;

int main() {
  std::thread owner([] {
    std::scoped_lock lock(right);
    while (!ready) std::this_thread::yield();
  });
  std::thread polite([] {
    for (;;) {
      std::unique_lock one(left);
      std::unique_lock two(right, std::try_to_lock);
      if (two) break;
      one.unlock();
      std::this_thread::yield();
    }
    ready = true;
  });
  polite.join();
  owner.join();
}
