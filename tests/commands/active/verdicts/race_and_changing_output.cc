// confirmed: race
// harmful: no
// consequences: differs from run to run anyway
// Each run prints something else.
#include <unistd.h>

#include <cstdio>
#include <thread>

int hint;

int main() {
  std::thread one([] { hint = 1; });
  std::thread other([] { hint = 2; });
  one.join();
  other.join();
  std::printf("%d\n", static_cast<int>(getpid()));
}
