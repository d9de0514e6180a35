// The flag is set without the lock: if that happens between the waiter's test and its sleep, nobody
// wakes it.
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable changed;
std::atomic<bool> ready = false;

int main() {
  std::thread waiter([] {
    std::unique_lock lock(mutex);
    while (!ready) changed.wait(lock);
  });
  ready = true;  // should be done with the mutex held
  changed.notify_one();
  waiter.join();
}
