// confirmed: race
// harmful: no
// consequences: no consequence seen
// What is printed depends on the order of two threads, and not on that of the two writes.
#include <cstdio>
#include <thread>

int hint;

int main() {
  std::thread one([] {
    hint = 1;
    std::puts("one");
  });
  std::thread other([] {
    hint = 2;
    std::puts("other");
  });
  one.join();
  other.join();
}
