// dining_philosophers_N: each philosopher takes the left fork, then the right one, eats once and
// leaves.
// Fails: every philosopher has taken the left fork. Deadlock.
// Correct: the last philosopher takes the right fork first.
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "check.h"

#ifndef PHILOSOPHERS
#define PHILOSOPHERS 3
#endif

namespace {

std::mutex forks[PHILOSOPHERS];
int meals[PHILOSOPHERS] = {};

void Dine(int self) {
  int first = self;
  int second = (self + 1) % PHILOSOPHERS;
  if (kCorrect && second < first) std::swap(first, second);
  std::lock_guard first_fork(forks[first]);
  std::lock_guard second_fork(forks[second]);
  ++meals[self];
}

}  // namespace

int main() {
  std::vector<std::thread> philosophers;
  for (int i = 0; i < PHILOSOPHERS; ++i) philosophers.emplace_back(Dine, i);
  for (std::thread& philosopher : philosophers) philosopher.join();
  for (int eaten : meals) CHECK(eaten == 1);
}
