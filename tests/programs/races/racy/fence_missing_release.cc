// Expect: race
// An acquire fence behind the load, but nothing on the producer's side.
#include <atomic>
#include <thread>

std::atomic<bool> ready;
int data;

int main() {
  std::thread producer([] {
    data = 42;  // race
    ready.store(true, std::memory_order_relaxed);
  });
  while (!ready.load(std::memory_order_relaxed)) std::this_thread::yield();
  std::atomic_thread_fence(std::memory_order_acquire);
  volatile int seen = data;  // race
  (void)seen;
  producer.join();
}
