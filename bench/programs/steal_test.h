// The test that the four work-stealing queues share. The owner pushes and pops at the tail, one
// thief steals at the head; every item must be taken exactly once.
#ifndef SNAG_BENCH_PROGRAMS_STEAL_TEST_H_
#define SNAG_BENCH_PROGRAMS_STEAL_TEST_H_

#include <atomic>
#include <thread>

#include "check.h"

inline constexpr int kItems = 4;  // and slots: a push uses at most one new slot
inline constexpr int kNone = -1;  // what Pop and Steal return when they get nothing

inline std::atomic<int> taken[kItems];

inline void Take(int item) {
  if (item != kNone) CHECK(taken[item].exchange(1) == 0);
}

template <typename Queue>
void TestStealing() {
  static Queue queue;
  std::thread thief([] {
    Take(queue.Steal());
    Take(queue.Steal());
  });
  queue.Push(0);
  queue.Push(1);
  Take(queue.Pop());
  Take(queue.Pop());
  queue.Push(2);
  queue.Push(3);
  Take(queue.Pop());
  thief.join();

  for (int i = 0; i < kItems; ++i) Take(queue.Pop());
  for (int i = 0; i < kItems; ++i) CHECK(taken[i] == 1);
}

#endif  // SNAG_BENCH_PROGRAMS_STEAL_TEST_H_
