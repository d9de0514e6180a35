// Expect: clean
// After a timeout the consumer leaves the data alone until the producer was joined.
#include <cassert>
#include <chrono>
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
    std::lock_guard lock(mutex);
    ready = true;
    changed.notify_one();
  });
  bool in_time;
  {
    std::unique_lock lock(mutex);
    in_time = changed.wait_for(lock, std::chrono::milliseconds(1), [] { return ready; });
  }
  if (in_time) assert(data == 42);
  producer.join();
  assert(data == 42);
}
