// Three threads that sleep for longer and longer; the test relies on the order of the first two.
#include <atomic>
#include <cassert>
#include <chrono>
#include <thread>

using std::chrono::milliseconds;

std::atomic<int> order;
int first, second, third;

int main() {
  std::thread a([] { std::this_thread::sleep_for(milliseconds(10)), first = order++; });
  std::thread b([] { std::this_thread::sleep_for(milliseconds(15)), second = order++; });
  std::thread c([] { std::this_thread::sleep_for(milliseconds(40)), third = order++; });
  a.join();
  b.join();
  c.join();
  assert(first < second);
}
