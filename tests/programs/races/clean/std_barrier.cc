// Expect: clean
// The completion function of a barrier adds up what all have written, alone.
#include <barrier>
#include <cassert>
#include <thread>

int part[3], sum;

int main() {
  auto add = []() noexcept { sum += part[0] + part[1] + part[2]; };
  std::barrier barrier(3, add);
  auto body = [&](int self) {
    for (int round = 1; round <= 2; ++round) {
      part[self] = round;
      barrier.arrive_and_wait();
      assert(sum == (round == 1 ? 3 : 9));
    }
  };
  std::thread first(body, 0), second(body, 1), third(body, 2);
  first.join();
  second.join();
  third.join();
}
