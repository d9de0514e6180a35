// Expect: clean
// One thread counts its polls, and yields, until another one, whose timed wait nobody notifies,
// says that it is over: the program ends by time.
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

int main() {
  std::atomic<bool> done = false;
  std::atomic<int> polls = 0;
  std::thread poller([&] {
    while (!done) {
      ++polls;
      std::this_thread::yield();
    }
  });
  std::mutex mutex;
  std::condition_variable cv;
  std::unique_lock lock(mutex);
  cv.wait_for(lock, std::chrono::milliseconds(50), [] { return false; });
  done = true;
  poller.join();
}
