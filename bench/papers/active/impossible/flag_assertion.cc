// kind: assertion
// The value is wrong for a while, but nobody checks it before a flag says so.
#include <atomic>
#include <cassert>
#include <thread>

#include "../work.h"

namespace {
std::atomic<int> value = 0;
std::atomic<bool> is_ready = false;
}  // namespace

int main() {
  std::thread writer([] {
    value = 13;
    Work();
    value = 42;
    is_ready = true;
  });
  std::thread checker([] {
    while (!is_ready) std::this_thread::yield();
    assert(value == 42);
  });
  writer.join();
  checker.join();
}
