// Expect: lock-misuse
// An early return leaves the mutex locked; nobody wants it afterwards, so nothing else goes wrong.
#include <atomic>
#include <mutex>
#include <thread>

std::mutex mutex;
std::atomic<bool> stop;

int main() {
  std::thread worker([] {
    mutex.lock();
    if (stop) return;
    mutex.unlock();
  });
  stop = true;
  worker.join();
}
