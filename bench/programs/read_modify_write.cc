// read_modify_write: the counter is atomic, the increment is not. No data race, but a lost update.
// Fails: both threads load the same value, both store that value plus one.
// Correct: fetch_add.
#include <atomic>
#include <thread>

#include "check.h"

namespace {

constexpr int kIncrements = 2;  // by each of two threads

std::atomic<int> counter = 0;

void Increment() {
  for (int i = 0; i < kIncrements; ++i) {
    if (kCorrect) {
      counter.fetch_add(1);
    } else {
      counter.store(counter.load() + 1);
    }
  }
}

}  // namespace

int main() {
  std::thread first(Increment);
  std::thread second(Increment);
  first.join();
  second.join();
  CHECK(counter == 2 * kIncrements);
}
