// Expect: clean
// wait_for and wait_until with steady and system clock: the event or the timeout, never neither.
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

using namespace std::chrono_literals;

int main() {
  std::mutex mutex;
  std::condition_variable cv;
  bool ready = false;
  auto waiter = [&](int kind) {
    std::unique_lock lock(mutex);
    auto steady = std::chrono::steady_clock::now() + 10ms;
    auto system = std::chrono::system_clock::now() + 10ms;
    bool seen;
    if (kind == 0)
      seen = cv.wait_for(lock, 10ms, [&] { return ready; });
    else if (kind == 1)
      seen = cv.wait_until(lock, steady, [&] { return ready; });
    else
      seen = cv.wait_until(lock, system, [&] { return ready; });
    assert(seen == ready);
    if (!seen)
      assert(kind == 2 ? std::chrono::system_clock::now() >= system
                       : std::chrono::steady_clock::now() >= steady);
  };
  std::thread a(waiter, 0), b(waiter, 1), c(waiter, 2);
  std::this_thread::sleep_for(5ms);
  {
    std::lock_guard lock(mutex);
    ready = true;
  }
  cv.notify_all();
  a.join();
  b.join();
  c.join();

  std::unique_lock lock(mutex);  // no thread notifies: only the clock can end these
  auto start = std::chrono::steady_clock::now();
  while (cv.wait_until(lock, start + 3ms) == std::cv_status::no_timeout) {
  }
  assert(std::chrono::steady_clock::now() - start >= 3ms);
  assert(!cv.wait_for(lock, 3ms, [] { return false; }));
  assert(std::chrono::steady_clock::now() - start >= 6ms);
}
