// Expect: clean
// Threads one after the other, and at the same time: later ones run on the stacks of ended ones.
#include <cassert>
#include <thread>

int fill(int seed) {
  volatile int room[64];
  for (int i = 0; i < 64; ++i) room[i] = seed;
  return room[63];
}

int main() {
  std::thread beside([] { assert(fill(100) == 100); });
  for (int i = 0; i < 4; ++i) {
    std::thread first([i] { assert(fill(i) == i); });
    std::thread second([i] { assert(fill(-i) == -i); });
    first.join();
    second.join();
  }
  beside.join();
}
