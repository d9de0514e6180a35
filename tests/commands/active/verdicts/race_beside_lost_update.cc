// confirmed: race
// harmful: no
// explained: yes
// The update that may be lost has nothing to do with the race.
#include <atomic>
#include <cassert>
#include <thread>

int hint;
std::atomic<int> count = 0;

void Increment() {
  const int before = count;
  count = before + 1;
}

int main() {
  std::thread one([] {
    hint = 1;
    Increment();
  });
  std::thread other([] {
    hint = 2;
    Increment();
  });
  one.join();
  other.join();
  assert(count == 2);
}
