// Expect: assert
// The result of wait_for is ignored: after a timeout the value is used although it was never set.
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

int main() {
  std::mutex mutex;
  std::condition_variable cv;
  int value = 0;
  std::thread producer([&] {
    std::lock_guard lock(mutex);
    value = 7;
    cv.notify_one();
  });
  {
    std::unique_lock lock(mutex);
    cv.wait_for(lock, std::chrono::seconds(1), [&] { return value != 0; });
    assert(value == 7);
  }
  producer.join();
}
