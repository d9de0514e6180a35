// Expect: assert
// Switches: 4
// As lost_update_atomic, on a plain int: a switch between the read and the write of count++.
#include <cassert>
#include <thread>

int count;

int main() {
  auto add = [] { count++; };
  std::thread a(add), b(add);
  a.join();
  b.join();
  assert(count == 2);
}
