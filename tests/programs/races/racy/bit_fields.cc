// Expect: race
// Two bit-fields share their bytes: writing one writes the other one back.
#include <thread>

struct Flags {
  unsigned busy : 4;
  unsigned level : 4;
} flags;

int main() {
  std::thread first([] { flags.busy = 1; });    // race
  std::thread second([] { flags.level = 7; });  // race
  first.join();
  second.join();
}
