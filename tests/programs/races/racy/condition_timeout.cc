// Expect: race
// The wait times out, and the consumer takes the data although no thread announced them.
// (The relaxed flag makes the producer late; it orders nothing.)
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable changed;
std::atomic<bool> timed_out;
bool ready;
int data;

int main() {
  std::thread producer([] {
    while (!timed_out.load(std::memory_order_relaxed)) std::this_thread::yield();
    data = 42;  // race
    std::lock_guard lock(mutex);
    ready = true;
    changed.notify_one();
  });
  {
    std::unique_lock lock(mutex);
    changed.wait_for(lock, std::chrono::milliseconds(1), [] { return ready; });
  }
  timed_out.store(true, std::memory_order_relaxed);
  volatile int seen = data;  // race
  (void)seen;
  producer.join();
}
