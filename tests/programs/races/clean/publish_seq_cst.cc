// Expect: clean
// Handing a value to and fro with the default memory order.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> turn;
int data;

int main() {
  auto body = [](int self) {
    for (int i = 0; i < 2; ++i) {
      while (turn != self) std::this_thread::yield();
      ++data;
      turn = 1 - self;
    }
  };
  std::thread first(body, 0), second(body, 1);
  first.join();
  second.join();
  assert(data == 4);
}
