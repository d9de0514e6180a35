// Expect: race
// The flag of a condition variable is first checked without the mutex, to save a lock.
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable changed;
bool ready;

int main() {
  std::thread producer([] {
    std::lock_guard lock(mutex);
    ready = true;  // race
    changed.notify_one();
  });
  if (!ready) {  // race
    std::unique_lock lock(mutex);
    changed.wait(lock, [] { return ready; });
  }
  producer.join();
}
