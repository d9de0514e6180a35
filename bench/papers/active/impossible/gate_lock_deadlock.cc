// kind: deadlock
// Both orders, but a third lock is always taken first.
#include <mutex>
#include <thread>

#include "../work.h"

namespace {
std::mutex gate, a, b;
}  // namespace

int main() {
  std::thread first([] {
    Work();
    std::lock_guard x(gate), y(a), z(b);
  });
  std::thread second([] {
    Work();
    std::lock_guard x(gate), y(b), z(a);
  });
  first.join();
  second.join();
}
