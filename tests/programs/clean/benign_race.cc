// Expect: clean
// A counter that may lose updates, and is marked so. The marks are no steps and change nothing.
#include <snag/benign.h>

#include <cassert>
#include <thread>

struct Statistics {
  long hits = 0;
  int sizes[4] = {};
};

int main() {
  Statistics statistics;
  SNAG_BENIGN_RACE(statistics.hits);
  SNAG_BENIGN_RACE_RANGE(statistics.sizes, sizeof(statistics.sizes));
  const auto count = [&] {
    ++statistics.hits;
    ++statistics.sizes[2];
  };
  std::thread one(count), two(count);
  one.join();
  two.join();
  assert(statistics.hits >= 1 && statistics.hits <= 2);
  assert(statistics.sizes[2] >= 1 && statistics.sizes[2] <= 2);
}
