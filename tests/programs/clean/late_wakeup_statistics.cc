// Expect: clean
// A thread that prints a counter each second, until it is told to stop. It does not wait for the
// counter: what it waits for is changed under the mutex, where its predicate looks.
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

using namespace std::chrono_literals;

std::mutex mutex;
std::condition_variable changed;
bool stop, flushed;
std::atomic<long> bytes;
long printed;

int main() {
  std::thread reporter([] {
    for (;;) {
      printed = bytes;
      std::unique_lock lock(mutex);
      if (changed.wait_for(lock, 1s, [] { return stop; })) return;
    }
  });
  bytes += 10;
  {
    std::lock_guard lock(mutex);
    flushed = true;
  }
  changed.notify_all();
  std::this_thread::sleep_for(2500ms);
  {
    std::lock_guard lock(mutex);
    stop = true;
  }
  changed.notify_all();
  reporter.join();
}
