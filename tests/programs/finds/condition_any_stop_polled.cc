// Expect: deadlock | lost-wakeup
// clean/condition_any_stop_token.cc with a consumer that asks the stop token in a loop around a
// wait that does not know it: the request comes between the question and the wait.
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
      while (!stop.stop_requested()) {
        cv.wait(lock);
        if (items > 0) --items, ++taken;
      }
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
