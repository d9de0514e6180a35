// Expect: clean
// A timer thread sleeps until each next tick, counted from its start, and posts what is due, until
// it is stopped; main waits for three ticks.
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

using std::chrono::steady_clock, std::chrono::milliseconds;

int main() {
  std::mutex mutex;
  std::condition_variable cv;
  bool stop = false;
  int ticks = 0;
  std::thread timer([&] {
    auto next = steady_clock::now();
    std::unique_lock lock(mutex);
    while (!stop) {
      next += milliseconds(10);
      while (!stop && steady_clock::now() < next) cv.wait_until(lock, next);
      if (stop) return;
      ++ticks;
      cv.notify_all();
    }
  });
  {
    std::unique_lock lock(mutex);
    cv.wait(lock, [&] { return ticks >= 3; });
    stop = true;
  }
  cv.notify_all();
  timer.join();
  assert(ticks >= 3);
}
