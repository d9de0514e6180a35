// The order in which locks are taken in one run: a graph with an edge from A to B for "B was wanted
// while A was held". A cycle of edges of different threads is a deadlock that could happen in
// another schedule, unless something keeps the threads apart.
//
// A plain data structure: the caller knows which threads run, and when they were created or joined.
#pragma once

#include <cstdint>

#include "protocol/ops.h"
#include "protocol/shared_memory.h"

namespace snag::rt {

// How many locks a thread may hold besides the one at the edge's start; with more, the edge is not
// added.
inline constexpr std::uint32_t kMaxGates = 15;

struct LockEdge {
  std::uint32_t held, wanted;  // numbers of locks
  bool held_shared, wanted_shared;
  Tid thread;
  std::uint16_t clock;  // of the thread, for `Ordered`
  std::uint16_t gate_count;
  std::uint64_t held_pc, wanted_pc;
  std::uint32_t gates[kMaxGates];  // also held: number * 2, plus 1 if shared
  std::uint32_t next;              // of the same `held`, plus 1; 0: none
};

class LockGraph {
 public:
  static constexpr std::uint32_t kMaxEdges = 1024;  // further ones are ignored
  // Whether the first edge was over before the second one's thread could get there, because of the
  // creation and joining of threads.
  using Ordered = bool (*)(const LockEdge& earlier, const LockEdge& later);

  // Forgets all edges; `run` is never the same again.
  void begin(std::uint64_t run);
  // The number of the edge, or kKnown if there is an equal one already (or no room).
  static constexpr std::uint32_t kKnown = UINT32_MAX;
  std::uint32_t add(const LockEdge& edge);
  // A cycle that the edge closes, the edge itself first: fills in numbers of edges and says how
  // many; 0 if there is none.
  std::uint32_t find_cycle(std::uint32_t edge, Ordered ordered,
                           std::uint32_t cycle[kMaxLockCycle]) const;

  const LockEdge& operator[](std::uint32_t number) const { return edges_[number]; }
  std::uint32_t size() const { return count_; }

 private:
  static constexpr std::uint32_t kSlots = 2048;  // a power of two; half full at most
  struct Slot {
    std::uint64_t run;
    std::uint32_t lock;
    std::uint32_t first;  // edge plus 1
  };

  const Slot* find(std::uint32_t lock) const;
  bool search(std::uint32_t depth, std::uint32_t goal, Ordered ordered, std::uint32_t* budget,
              std::uint32_t cycle[kMaxLockCycle], std::uint32_t* length) const;

  std::uint64_t run_ = 0;
  std::uint32_t count_ = 0;
  Slot slots_[kSlots] = {};
  LockEdge edges_[kMaxEdges] = {};
};

// Whether the two could be the places at which two threads wait for each other.
bool can_overlap(const LockEdge& a, const LockEdge& b);

}  // namespace snag::rt
