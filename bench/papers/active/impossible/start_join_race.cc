// kind: race
// The same variable in three threads, one after the other.
#include <thread>

#include "../work.h"

namespace {
int value = 0;
}  // namespace

int main() {
  value = 1;
  std::thread first([] {
    Work();
    value = 2;
  });
  first.join();
  CHECK(value == 2);
  std::thread second([] {
    Work();
    value = 3;
  });
  second.join();
  CHECK(value == 3);
}
