// Expect: clean
// A handover by condition variable; the data themselves are read after the lock was given back.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable changed;
bool ready;
int data;

int main() {
  std::thread producer([] {
    data = 42;
    {
      std::lock_guard lock(mutex);
      ready = true;
    }
    changed.notify_one();
  });
  {
    std::unique_lock lock(mutex);
    changed.wait(lock, [] { return ready; });
  }
  assert(data == 42);
  producer.join();
}
