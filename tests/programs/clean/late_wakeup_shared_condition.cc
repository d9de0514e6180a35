// Expect: clean
// A thread uses a condition variable as a timer, with which others tell main that they have
// started.
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

using namespace std::chrono_literals;

std::mutex mutex;
std::condition_variable changed;
int started;
std::atomic<int> requests;
int shown;

void Work() {
  ++requests;
  std::lock_guard lock(mutex);
  ++started;
  changed.notify_all();
}

int main() {
  std::thread statistics([] {
    for (int i = 0; i < 3; ++i) {
      shown = requests;
      std::unique_lock lock(mutex);
      changed.wait_for(lock, 1s, [] { return false; });
    }
  });
  std::thread first(Work), second(Work);
  {
    std::unique_lock lock(mutex);
    changed.wait(lock, [] { return started == 2; });
  }
  first.join();
  second.join();
  statistics.join();
}
