// never: assertion
// confirmed: deadlock
// The line with the check has a lock that threads wait for, too; the check always holds.
#include <cassert>
#include <mutex>
#include <thread>

std::mutex a, b;
int value;

int main() {
  std::thread one([] {
    std::lock_guard first(a);
    // clang-format off
    std::lock_guard second(b); assert(value >= 0); ++value;
    // clang-format on
  });
  std::thread other([] {
    std::lock_guard first(b);
    std::lock_guard second(a);
    ++value;
  });
  one.join();
  other.join();
}
