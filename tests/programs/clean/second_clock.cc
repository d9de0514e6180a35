// Expect: clean
// A loop on the clock that counts seconds: it ends with the second after the next tick.
#include <atomic>
#include <cassert>
#include <ctime>
#include <thread>

int main() {
  std::atomic<int> rounds = 0;
  std::thread ticker([&] {
    std::time_t end = std::time(nullptr) + 2;
    while (std::time(nullptr) < end) {
      ++rounds;
      std::this_thread::yield();
    }
  });
  ticker.join();
  assert(rounds > 0);
}
