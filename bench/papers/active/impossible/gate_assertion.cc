// kind: assertion
// Two variables differ for a while, but only under the lock.
#include <cassert>
#include <mutex>
#include <thread>

#include "../work.h"

namespace {
std::mutex lock;
int a = 0, b = 0;
}  // namespace

int main() {
  std::thread writer([] {
    for (int i = 1; i < 6; ++i) {
      std::lock_guard guard(lock);
      a = i;
      Work(2);
      b = i;
    }
  });
  std::thread checker([] {
    for (int i = 0; i < 3; ++i) {
      Work(3);
      std::lock_guard guard(lock);
      assert(a == b);
    }
  });
  writer.join();
  checker.join();
}
