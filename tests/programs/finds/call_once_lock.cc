// Expect: deadlock
// The initialiser needs a lock; the thread that holds the lock waits for the initialiser.
#include <mutex>
#include <thread>

std::once_flag flag;
std::mutex mutex;

void Init() { std::lock_guard lock(mutex); }

int main() {
  std::thread a([] { std::call_once(flag, Init); });
  std::thread b([] {
    mutex.lock();
    std::call_once(flag, [] {});
    mutex.unlock();
  });
  a.join();
  b.join();
}
