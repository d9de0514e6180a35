// What all benchmark programs share: CHECK, and the switch between a buggy program and its correct
// twin.
//
// Why so many `volatile int`s: the patterns are about plain shared data, and a plain access is what
// the tool must see. But the buggy variants race by nature, so a compiler at -O2 may merge, reorder
// or drop their plain accesses and the bug with them. `volatile` pins each access to its place in
// the program and adds no synchronisation whatsoever. The correct twins never rely on it: all their
// conflicting accesses are ordered by locks, atomics, barriers or joins.
#ifndef SNAG_BENCH_PROGRAMS_CHECK_H_
#define SNAG_BENCH_PROGRAMS_CHECK_H_

#include <cstdio>
#include <cstdlib>

// An assert that NDEBUG does not remove.
#define CHECK(condition)                                                                 \
  do {                                                                                   \
    if (!(condition)) {                                                                  \
      std::fprintf(stderr, "%s:%d: CHECK failed: %s\n", __FILE__, __LINE__, #condition); \
      std::abort();                                                                      \
    }                                                                                    \
  } while (false)

// True in the correct twin, which is the same file compiled with -DCORRECT.
#ifdef CORRECT
inline constexpr bool kCorrect = true;
#else
inline constexpr bool kCorrect = false;
#endif

#endif  // SNAG_BENCH_PROGRAMS_CHECK_H_
