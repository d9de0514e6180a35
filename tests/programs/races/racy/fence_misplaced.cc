// Expect: race
// Both fences are there, but each on the wrong side of its flag.
#include <atomic>
#include <thread>

std::atomic<bool> ready;
int data;

int main() {
  std::thread producer([] {
    data = 42;  // race
    ready.store(true, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_release);
  });
  std::atomic_thread_fence(std::memory_order_acquire);
  while (!ready.load(std::memory_order_relaxed)) std::this_thread::yield();
  volatile int seen = data;  // race
  (void)seen;
  producer.join();
}
