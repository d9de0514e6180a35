// Expect: clean
// Peterson's algorithm with sequentially consistent atomics protects a plain counter.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<bool> wants[2];
std::atomic<int> turn;
int count;

int main() {
  auto body = [](int me) {
    for (int i = 0; i < 3; ++i) {
      wants[me] = true;
      turn = 1 - me;
      while (wants[1 - me] && turn == 1 - me) {
      }
      ++count;
      wants[me] = false;
    }
  };
  std::thread a(body, 0), b(body, 1);
  a.join();
  b.join();
  assert(count == 6);
}
