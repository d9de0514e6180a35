// Expect: clean
// try_lock_for in a loop until it succeeds, and try_lock_until with a deadline in the past, which
// may only fail.
#include <cassert>
#include <chrono>
#include <mutex>
#include <thread>

int main() {
  std::timed_mutex mutex;
  int count = 0;
  auto body = [&] {
    for (int i = 0; i < 2; ++i) {
      while (!mutex.try_lock_for(std::chrono::milliseconds(1))) {
      }
      ++count;
      mutex.unlock();
    }
    if (mutex.try_lock_until(std::chrono::steady_clock::now() - std::chrono::seconds(1))) {
      count += 0;
      mutex.unlock();
    }
  };
  std::thread a(body), b(body);
  a.join();
  b.join();
  assert(count == 4);
}
