// Expect: deadlock
// Switches: 4
// Four dining philosophers, each with the left fork in hand and waiting for the right one.
#include <mutex>
#include <thread>

std::mutex forks[4];

int main() {
  auto dine = [](int i) {
    std::lock_guard left(forks[i]);
    std::lock_guard right(forks[(i + 1) % 4]);
  };
  std::thread threads[] = {std::thread(dine, 0), std::thread(dine, 1), std::thread(dine, 2),
                           std::thread(dine, 3)};
  for (auto& thread : threads) thread.join();
}
