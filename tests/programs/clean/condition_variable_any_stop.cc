// Expect: clean
// condition_variable_any with a stop_token: a consumer is ended by request_stop, after every item
// was taken.
#include <cassert>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <shared_mutex>
#include <stop_token>
#include <thread>

int main() {
  std::shared_mutex mutex;
  std::condition_variable_any cv;
  std::deque<int> items;
  int sum = 0;
  {
    std::jthread consumer([&](std::stop_token stop) {
      for (;;) {
        std::unique_lock lock(mutex);
        if (!cv.wait(lock, stop, [&] { return !items.empty(); })) return;
        sum += items.front();
        items.pop_front();
      }
    });
    for (int i = 1; i <= 3; ++i) {
      {
        std::lock_guard lock(mutex);
        items.push_back(i);
      }
      cv.notify_one();
    }
  }  // jthread: request_stop, join
  assert(sum <= 6 && (items.empty() == (sum == 6)));

  std::jthread sleeper([&](std::stop_token stop) {
    std::shared_lock lock(mutex);
    assert(!cv.wait_for(lock, stop, std::chrono::hours(1), [] { return false; }));
  });
}
