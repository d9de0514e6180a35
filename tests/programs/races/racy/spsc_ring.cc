// Expect: race
// A ring buffer for one producer and one consumer, with relaxed indices.
#include <atomic>
#include <thread>

constexpr int kSize = 2;
int slots[kSize];
std::atomic<int> written, taken;

int main() {
  std::thread producer([] {
    for (int i = 0; i < 3; ++i) {
      while (i - taken.load(std::memory_order_relaxed) >= kSize) std::this_thread::yield();
      slots[i % kSize] = i;  // race
      written.store(i + 1, std::memory_order_relaxed);
    }
  });
  int sum = 0;
  for (int i = 0; i < 3; ++i) {
    while (written.load(std::memory_order_relaxed) <= i) std::this_thread::yield();
    sum += slots[i % kSize];  // race
    taken.store(i + 1, std::memory_order_relaxed);
  }
  producer.join();
  return sum > 3;
}
