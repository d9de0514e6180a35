// kind: atomicity
// R-W-W: an addition in two atomic steps.
#include <atomic>
#include <thread>

#include "../work.h"

namespace {
std::atomic<int> sum = 0;

void Add() {
  Work();
  if (kCorrect) {
    sum += 1;
  } else {
    const int before = sum;
    sum = before + 1;
  }
  Work();
}
}  // namespace

int main() {
  std::thread first(Add), second(Add);
  first.join();
  second.join();
  CHECK(sum == 2);
}
