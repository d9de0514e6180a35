// Expect: clean
// A loop around a timed wait whose deadline has passed goes on until another thread sets the flag:
// the wait returns at once, but gives up the mutex.
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

using std::chrono::steady_clock;

int main() {
  std::mutex mutex;
  std::condition_variable cv;
  bool ready = false;
  std::thread waiter([&] {
    auto deadline = steady_clock::now() - std::chrono::seconds(1);
    std::unique_lock lock(mutex);
    while (!ready) cv.wait_until(lock, deadline);
  });
  std::thread setter([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    std::lock_guard lock(mutex);
    ready = true;
    cv.notify_one();
  });
  waiter.join();
  setter.join();
}
