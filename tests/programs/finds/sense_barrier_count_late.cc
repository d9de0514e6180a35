// Expect: assert | livelock
// clean/sense_barrier.cc, where the count is reset after the sense is turned: a quick thread is in
// the next round already.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> left = 3;
std::atomic<bool> sense = false;
int cells[3], copies[3];

void Wait(bool* mine) {
  *mine = !*mine;
  if (--left == 0) {
    sense = *mine;
    left = 3;
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
