// Expect: clean
// std::async on two halves; a deferred task runs in the thread that asks.
#include <cassert>
#include <future>

int data[3];

int main() {
  auto first = std::async(std::launch::async, [] { data[0] = 1; });
  auto second = std::async(std::launch::async, [] { data[1] = 2; });
  auto third = std::async(std::launch::deferred, [] { data[2] = data[0] + data[1]; });
  first.get();
  second.get();
  third.get();
  assert(data[2] == 3);
}
