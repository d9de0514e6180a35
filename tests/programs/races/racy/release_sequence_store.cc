// Expect: race
// A relaxed plain store by another thread ends the release sequence of the producer.
#include <atomic>
#include <thread>

std::atomic<int> state;
int data;

int main() {
  std::thread producer([] {
    data = 42;  // race
    state.store(1, std::memory_order_release);
  });
  std::thread between([] {
    while (state.load(std::memory_order_relaxed) != 1) std::this_thread::yield();
    state.store(2, std::memory_order_relaxed);
  });
  while (state.load(std::memory_order_acquire) != 2) std::this_thread::yield();
  volatile int seen = data;  // race
  (void)seen;
  producer.join();
  between.join();
}
