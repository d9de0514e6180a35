// Expect: clean
// A bit-field of width zero starts a new memory location for what follows.
#include <cassert>
#include <thread>

struct Flags {
  unsigned busy : 4;
  unsigned : 0;
  unsigned level : 4;
} flags;

int main() {
  std::thread first([] { flags.busy = 1; });
  std::thread second([] { flags.level = 7; });
  first.join();
  second.join();
  assert(flags.busy == 1 && flags.level == 7);
}
