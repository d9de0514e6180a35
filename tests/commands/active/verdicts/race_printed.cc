// confirmed: race
// harmful: no
// consequences: the program's output depends on which of the two comes first
#include <cstdio>
#include <thread>

int last;

int main() {
  std::thread one([] { last = 1; });
  std::thread other([] { last = 2; });
  one.join();
  other.join();
  std::printf("%d\n", last);
}
