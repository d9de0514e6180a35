// Expect: clean
// The destructor of a thread_local object writes its result; join waits for that, too.
#include <cassert>
#include <thread>

int sum;

struct Tally {
  int count = 0;
  ~Tally() { sum += count; }
};
thread_local Tally tally;

int main() {
  std::thread([] { tally.count = 1; }).join();
  std::thread([] { tally.count = 2; }).join();
  assert(sum == 3);
}
