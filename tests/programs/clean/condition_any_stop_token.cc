// Expect: clean
// condition_variable_any with a stop_token, with and without a timeout: consumers take what is
// there and end when they are asked to stop.
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>

int main() {
  std::mutex mutex;
  std::condition_variable_any cv;
  int items = 0, taken = 0;
  auto has_items = [&] { return items > 0; };
  {
    std::jthread forever([&](std::stop_token stop) {
      std::unique_lock lock(mutex);
      while (cv.wait(lock, stop, has_items)) --items, ++taken;
    });
    std::jthread timed([&](std::stop_token stop) {
      std::unique_lock lock(mutex);
      while (!stop.stop_requested())
        if (cv.wait_for(lock, stop, std::chrono::milliseconds(5), has_items)) --items, ++taken;
    });
    for (int i = 0; i < 3; ++i) {
      std::lock_guard lock(mutex);
      ++items;
      cv.notify_one();
    }
  }
  assert(items >= 0 && items + taken == 3);
}
