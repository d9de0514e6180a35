// kind: deadlock
#include <algorithm>
#include <mutex>
#include <thread>
#include <vector>

#include "../work.h"

namespace {
constexpr int kCount = 4;
std::mutex forks[kCount];

void Dine(int seat) {
  int left = seat, right = (seat + 1) % kCount;
  if (kCorrect && left > right) std::swap(left, right);
  Work(6);
  std::lock_guard first(forks[left]);
  std::lock_guard second(forks[right]);
}
}  // namespace

int main() {
  std::vector<std::thread> philosophers;
  for (int i = 0; i < kCount; ++i) philosophers.emplace_back(Dine, i);
  for (std::thread& philosopher : philosophers) philosopher.join();
}
