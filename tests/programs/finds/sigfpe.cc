// Expect: signal
// The count is tested and then used as a divisor; in between the other thread sets it to 0.
#include <atomic>
#include <thread>

std::atomic<int> count = 1, average;

int main() {
  std::thread clears([] { count = 0; });
  if (count != 0) average = 100 / count;
  clears.join();
}
