// kind: atomicity
// The lock of the data is given back in between, but an outer one is not.
#include <mutex>
#include <thread>

#include "../work.h"

namespace {
std::mutex outer, inner;
int left = 1;

void Buy() {
  Work();
  std::lock_guard gate(outer);
  inner.lock();
  const bool is_left = left > 0;
  inner.unlock();
  Work(3);
  inner.lock();
  if (is_left) left = left - 1;
  inner.unlock();
}
}  // namespace

int main() {
  std::thread alice(Buy), bob(Buy);
  alice.join();
  bob.join();
  CHECK(left == 0);
}
