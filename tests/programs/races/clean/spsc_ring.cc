// Expect: clean
// A ring buffer for one producer and one consumer, with release and acquire on both indices.
#include <atomic>
#include <cassert>
#include <thread>

constexpr int kSize = 2;
int slots[kSize];
std::atomic<int> written, taken;

int main() {
  std::thread producer([] {
    for (int i = 0; i < 4; ++i) {
      while (i - taken.load(std::memory_order_acquire) >= kSize) std::this_thread::yield();
      slots[i % kSize] = i;
      written.store(i + 1, std::memory_order_release);
    }
  });
  int sum = 0;
  for (int i = 0; i < 4; ++i) {
    while (written.load(std::memory_order_acquire) <= i) std::this_thread::yield();
    sum += slots[i % kSize];
    taken.store(i + 1, std::memory_order_release);
  }
  producer.join();
  assert(sum == 6);
}
