// Expect: clean
// Peterson's lock with sequentially consistent atomics.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<bool> wants[2];
std::atomic<int> turn;
int counter;

int main() {
  auto body = [](int self) {
    for (int i = 0; i < 2; ++i) {
      wants[self] = true;
      turn = 1 - self;
      while (wants[1 - self] && turn != self) std::this_thread::yield();
      ++counter;
      wants[self] = false;
    }
  };
  std::thread first(body, 0), second(body, 1);
  first.join();
  second.join();
  assert(counter == 4);
}
