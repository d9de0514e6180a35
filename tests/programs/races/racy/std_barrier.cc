// Expect: race
// One barrier in a loop that needs two: a fast thread writes the next round while a slow one still
// reads this one.
#include <barrier>
#include <thread>

std::barrier barrier(2);
int half[2];

int main() {
  auto body = [](int self) {
    int seen = 0;
    for (int round = 1; round <= 2; ++round) {
      half[self] = round;  // race
      barrier.arrive_and_wait();
      seen += half[1 - self];  // race
    }
    volatile int sum = seen;
    (void)sum;
  };
  std::thread first(body, 0), second(body, 1);
  first.join();
  second.join();
}
