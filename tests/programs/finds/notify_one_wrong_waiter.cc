// Expect: lost-wakeup | deadlock
// Producers and consumers share one condition with notify_one: the only wakeup reaches a thread of
// the wrong kind.
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable cv;
bool full;

void Put() {
  std::unique_lock lock(mutex);
  cv.wait(lock, [] { return !full; });
  full = true;
  cv.notify_one();
}

void Take() {
  std::unique_lock lock(mutex);
  cv.wait(lock, [] { return full; });
  full = false;
  cv.notify_one();
}

int main() {
  std::thread threads[] = {std::thread(Put), std::thread(Put), std::thread(Take),
                           std::thread(Take)};
  for (auto& thread : threads) thread.join();
}
