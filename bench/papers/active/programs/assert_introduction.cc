// kind: assertion
// The first program of the paper: one of five orders fails.
#include <atomic>
#include <cassert>
#include <thread>

#include "../work.h"

namespace {
std::atomic<int> x = 0;
}  // namespace

int main() {
  std::thread writer([] {
    x = 1;
    x = 2;
    x = 3;
    x = kCorrect ? 3 : 4;
    x = 5;
  });
  std::thread checker([] { assert(x != 4); });
  writer.join();
  checker.join();
}
