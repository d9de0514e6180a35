// kind: assertion
// A place that should not be reached.
#include <atomic>
#include <cstdlib>
#include <thread>

#include "../work.h"

namespace {
std::atomic<bool> has_lock = false, has_key = false;
}  // namespace

int main() {
  std::thread owner([] {
    Work();
    if (kCorrect) {
      has_key = true;
      has_lock = true;
    } else {
      has_lock = true;
      has_key = true;
    }
    Work();
  });
  std::thread guard([] {
    Work();
    if (has_lock) {
      if (!has_key) std::abort();
    }
    Work();
  });
  owner.join();
  guard.join();
}
