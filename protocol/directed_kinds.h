// The interleavings that a directed run can be steered towards, one row each. The roles of its
// threads are the `sides` of Directed (protocol/directed.h).
//
// A new row needs runtime/strategies/directed/directed_<word>.cc, which defines directed_<word>().
#pragma once

#include <cstdint>

namespace snag {

//   X(kind, word)
//
//   kRace       sides 0 and 1: two accesses to the same memory, at the same time
//   kDeadlock   each side: a thread that holds a lock and is about to take the next one
//   kAtomicity  sides 0 and 1: two accesses of one thread; 2 and up: of another one, in between
//   kAssertion  side 0: reads that an assertion depends on; 1: writes to what they read
#define SNAG_DIRECTED_KINDS(X) \
  X(kRace, race)               \
  X(kDeadlock, deadlock)       \
  X(kAtomicity, atomicity)     \
  X(kAssertion, assertion)

inline constexpr const char* kDirectedWords[] = {
#define SNAG_WORD(kind, word) #word,
    SNAG_DIRECTED_KINDS(SNAG_WORD)
#undef SNAG_WORD
};

enum class DirectedKind : std::uint8_t {
  kNone,
#define SNAG_KIND(kind, word) kind,
  SNAG_DIRECTED_KINDS(SNAG_KIND)
#undef SNAG_KIND
};

}  // namespace snag
