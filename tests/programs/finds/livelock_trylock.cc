// Expect: livelock
// Run: --lock-misuse off
// A thread forgets to unlock on one path; the other one tries the lock and yields, forever.
#include <atomic>
#include <mutex>
#include <thread>

std::mutex mutex;
std::atomic<bool> cancelled;

int main() {
  std::thread worker([] {
    mutex.lock();
    if (cancelled) return;
    mutex.unlock();
  });
  cancelled = true;
  while (!mutex.try_lock()) std::this_thread::yield();
  mutex.unlock();
  worker.join();
}
