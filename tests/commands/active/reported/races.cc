// Races that every tool sees in every run: nothing comes between start and end of the threads.
#include <cstdio>
#include <thread>
#include <vector>

#include "left/item.h"
#include "right/item.h"

int counter = 0;
std::vector<int> list;
LeftItem left[2];
RightItem shared;

void Count() { ++counter; }

void Append(int value) { list.push_back(value); }

void Both(int number) {
  Count();
  Append(number);
  left[number].Set(number);
  shared.Set(number);
}

int main() {
  list.reserve(100);
  std::thread first(Both, 0), second(Both, 1);
  first.join();
  second.join();
  std::printf("%d %zu %d\n", counter, list.size(), left[0].value + left[1].value + shared.value);
}
