// Without the schedule, most interleavings fail the assertions; with it, none does.
#include <snag/schedule.h>

#include <atomic>
#include <cassert>
#include <condition_variable>
#include <mutex>

int main() {
  std::atomic<int> value{0};
  std::mutex mutex;
  std::condition_variable condition;
  bool full = false, waited = false;
  snag::Schedule schedule("written -> reading, [taking] -> adding, end@taker -> after");
  std::thread writer = snag::thread("writer", [&] {
    value = 1;
    SNAG_EVENT(written);
  });
  std::thread taker = snag::thread("taker", [&] {
    std::unique_lock lock(mutex);
    SNAG_EVENT(taking);
    while (!full) {
      waited = true;
      condition.wait(lock);
    }
  });
  SNAG_EVENT(reading);
  assert(value == 1);
  SNAG_EVENT(adding);
  {
    std::lock_guard lock(mutex);
    assert(waited);
    full = true;
  }
  condition.notify_one();
  SNAG_EVENT(after);
  writer.join();
  taker.join();
}
