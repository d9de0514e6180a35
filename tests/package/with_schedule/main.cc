// A user's test with a schedule: prints "met".
#include <snag/schedule.h>

#include <condition_variable>
#include <cstdio>
#include <mutex>

int main() {
  std::mutex mutex;
  std::condition_variable condition;
  bool full = false;
  snag::Schedule schedule("[taking] -> adding");
  std::thread taker = snag::thread("taker", [&] {
    SNAG_EVENT(taking);
    std::unique_lock lock(mutex);
    condition.wait(lock, [&] { return full; });
  });
  SNAG_EVENT(adding);
  {
    std::lock_guard lock(mutex);
    full = true;
  }
  condition.notify_one();
  taker.join();
  if (schedule.finish()) std::puts("met");
}
