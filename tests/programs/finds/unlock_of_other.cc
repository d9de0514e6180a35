// Expect: lock-misuse
// A thread "helps" another one by unlocking the mutex that it holds.
#include <atomic>
#include <mutex>
#include <thread>

std::mutex mutex;
std::atomic<int> inside;

int main() {
  std::thread worker([] {
    std::lock_guard guard(mutex);
    inside = 1;
    inside = 2;
  });
  if (inside == 1) mutex.unlock();
  worker.join();
}
