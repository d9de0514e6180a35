// Expect: clean
// A barrier that reverses its sense: the last thread of a round resets the count and turns the
// sense, for which the others spin.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> left = 3;
std::atomic<bool> sense = false;
int cells[3], copies[3];

void Wait(bool* mine) {
  *mine = !*mine;
  if (--left == 0) {
    left = 3;
    sense = *mine;
  } else {
    while (sense != *mine) std::this_thread::yield();
  }
}

int main() {
  auto body = [](int self) {
    bool mine = false;
    for (int round = 1; round <= 2; ++round) {
      cells[self] = round;
      Wait(&mine);
      copies[self] = cells[(self + 1) % 3];
      assert(copies[self] == round);
      Wait(&mine);
    }
  };
  std::thread a(body, 0), b(body, 1), c(body, 2);
  a.join();
  b.join();
  c.join();
}
