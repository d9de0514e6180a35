// Expect: livelock
// Two hungry diners with one spoon: each passes it on as long as the other has not eaten. They
// yield for ever unless one has eaten before the other becomes hungry.
#include <atomic>
#include <thread>

std::atomic<int> spoon;
std::atomic<bool> hungry[2];

int main() {
  auto diner = [](int me) {
    hungry[me] = true;
    while (hungry[me]) {
      if (spoon != me) {
        std::this_thread::yield();
      } else if (hungry[1 - me]) {
        spoon = 1 - me;
      } else {
        hungry[me] = false;
        spoon = 1 - me;
      }
    }
  };
  std::thread a(diner, 0), b(diner, 1);
  a.join();
  b.join();
}
