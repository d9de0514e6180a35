// Expect: clean
// A thread_local variable: one for each thread, also when a later thread gets the same memory.
#include <cassert>
#include <thread>

thread_local int counter;

int main() {
  auto body = [] {
    for (int i = 0; i < 3; ++i) ++counter;
    assert(counter == 3);
  };
  std::thread first(body), second(body);
  first.join();
  std::thread third(body);
  second.join();
  third.join();
  body();
}
