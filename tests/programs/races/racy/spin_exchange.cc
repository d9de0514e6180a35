// Expect: race
// A spin lock whose lock is relaxed: the release of the previous owner is not acquired.
#include <atomic>
#include <thread>

std::atomic<bool> taken;
int counter;

int main() {
  auto body = [] {
    while (taken.exchange(true, std::memory_order_relaxed)) std::this_thread::yield();
    ++counter;  // race
    taken.store(false, std::memory_order_release);
  };
  std::thread first(body), second(body);
  first.join();
  second.join();
}
