// Two threads add to a counter; prints the sum.
#include <cstdio>
#include <thread>

#include "counter.h"

#ifndef __SNAG__
#error "compiled without Snag's flags"
#endif

int main() {
  Counter counter;
  auto work = [&] {
    for (int i = 0; i < 100; ++i) counter.add(1);
  };
  std::thread first(work), second(work);
  first.join();
  second.join();
  std::printf("sum %d\n", counter.value());
}
