// kind: assertion
// Writes in a loop: one value of many is wrong.
#include <atomic>
#include <cassert>
#include <thread>

#include "../work.h"

namespace {
std::atomic<int> level = 0;
}  // namespace

int main() {
  std::thread writer([] {
    for (int i = 1; i <= 200; ++i) level = i % 5;
    level = 0;
  });
  std::thread checker([] {
    Work();
    assert(level != (kCorrect ? 7 : 4));
    Work();
  });
  writer.join();
  checker.join();
}
