// Expect: exit
// main returns 3 when the two threads ran in the unexpected order.
#include <atomic>
#include <thread>

std::atomic<int> last;

int main() {
  std::thread a([] { last = 1; }), b([] { last = 2; });
  a.join();
  b.join();
  return last == 2 ? 0 : 3;
}
