// Expect: deadlock
// Three threads wait in a ring of locks while a fourth goes on for a while: the ring never opens.
#include <atomic>
#include <mutex>
#include <thread>

std::mutex locks[3];
std::atomic<int> ticks;

int main() {
  auto link = [](int i) {
    std::lock_guard mine(locks[i]);
    std::lock_guard next(locks[(i + 1) % 3]);
  };
  std::thread a(link, 0), b(link, 1), c(link, 2);
  std::thread busy([] {
    for (int i = 0; i < 50; ++i) {
      ++ticks;
      std::this_thread::yield();
    }
  });
  a.join();
  b.join();
  c.join();
  busy.join();
}
