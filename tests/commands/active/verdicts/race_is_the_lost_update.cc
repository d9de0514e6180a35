// confirmed: race
// confirmed: atomicity
// harmful: yes
// traces: 2
// What follows from the race is what the violation of atomicity ends in: it is shown once.
#include <cstdio>
#include <thread>

int count = 0;

void Increment() { ++count; }

int main() {
  std::thread one(Increment), other(Increment);
  one.join();
  other.join();
  std::printf("%d\n", count);
  return count == 2 ? 0 : 4;
}
