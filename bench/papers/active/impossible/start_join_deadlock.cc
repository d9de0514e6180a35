// kind: deadlock
// Both orders, but never at the same time: the first thread is joined before the second one begins.
#include <mutex>
#include <thread>

#include "../work.h"

namespace {
std::mutex a, b;
}  // namespace

int main() {
  std::thread first([] {
    Work();
    std::lock_guard x(a), y(b);
  });
  first.join();
  std::thread second([] {
    Work();
    std::lock_guard x(b), y(a);
  });
  second.join();
}
