// kind: atomicity
// Read, then write: but only if nothing has come in between.
#include <atomic>
#include <thread>

#include "../work.h"

namespace {
std::atomic<int> sum = 0;

void Add() {
  Work();
  int before = sum;
  while (!sum.compare_exchange_weak(before, before + 1)) {
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
