// Expect: clean
// A worker beats after each piece of work; a monitor that hears nothing for a while only counts it,
// and a flag announces the worker's end.
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

int main() {
  std::mutex mutex;
  std::condition_variable cv;
  int beats = 0, missed = 0;
  bool ended = false;
  std::thread worker([&] {
    for (int i = 0; i < 4; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(4));
      std::lock_guard lock(mutex);
      ++beats;
      cv.notify_all();
    }
    std::lock_guard lock(mutex);
    ended = true;
    cv.notify_all();
  });
  std::thread monitor([&] {
    std::unique_lock lock(mutex);
    for (int heard = 0; !ended;) {
      bool beat =
          cv.wait_for(lock, std::chrono::milliseconds(5), [&] { return beats > heard || ended; });
      if (!beat) ++missed;
      heard = beats;
    }
    assert(beats == 4);
  });
  worker.join();
  monitor.join();
}
