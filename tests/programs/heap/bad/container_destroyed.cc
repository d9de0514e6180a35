// Expect: heap
// A vector is destroyed by its owner while a thread that is not joined still sums it up.
#include <atomic>
#include <memory>
#include <thread>
#include <vector>

std::atomic<bool> started;

int main() {
  auto numbers = std::make_unique<std::vector<int>>(100, 1);
  const volatile int* data = numbers->data();
  std::thread reader([=] {
    started = true;
    int sum = 0;
    for (int i = 0; i < 100; ++i) sum += data[i];  // heap
    volatile int result = sum;
    (void)result;
  });
  while (!started) std::this_thread::yield();
  numbers.reset();
  reader.join();
}
