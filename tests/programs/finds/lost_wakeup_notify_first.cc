// Expect: lost-wakeup
// Switches: 2
// The notification comes before the wait, and no predicate remembers it: the waiter sleeps for
// ever.
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable cv;

int main() {
  std::thread waiter([] {
    std::unique_lock lock(mutex);
    cv.wait(lock);
  });
  cv.notify_one();
  waiter.join();
}
