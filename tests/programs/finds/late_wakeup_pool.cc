// Expect: late-wakeup
// Run: --late-wakeups fail
// A pool whose workers look for work, then take the mutex and wait for at most a minute: what is
// posted in between lies there that long.
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable posted;
std::atomic<int> tasks;
std::atomic<bool> done;

void Work() {
  while (!done) {
    if (tasks > 0) {
      --tasks;
      done = true;
      continue;
    }
    std::unique_lock lock(mutex);
    posted.wait_for(lock, std::chrono::minutes(1));
  }
}

int main() {
  std::thread worker(Work);
  ++tasks;
  posted.notify_one();
  worker.join();
}
