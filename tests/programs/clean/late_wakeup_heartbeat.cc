// Expect: clean
// A heartbeat each second, until the flag is set under the mutex. The signals of the worker, on the
// same condition variable, are not for it.
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

using namespace std::chrono_literals;

std::mutex mutex;
std::condition_variable changed;
bool stop;
std::atomic<long> beats, progress, last_progress;

int main() {
  std::thread heart([] {
    std::unique_lock lock(mutex);
    while (!changed.wait_for(lock, 1s, [] { return stop; })) {
      lock.unlock();
      ++beats;
      last_progress = progress.load();
      lock.lock();
    }
  });
  std::thread worker([] {
    for (int i = 0; i < 3; ++i) {
      ++progress;
      changed.notify_all();
      std::this_thread::sleep_for(1500ms);
    }
  });
  worker.join();
  {
    std::lock_guard lock(mutex);
    stop = true;
  }
  changed.notify_all();
  heart.join();
}
