#include "runtime/detect/locks/lock_graph.h"

namespace snag::rt {
namespace {

// The most edges examined for one cycle: a run with a tangle of locks must not spend its time here.
constexpr std::uint32_t kSearchBudget = 4096;

bool same(const LockEdge& a, const LockEdge& b) {
  if (a.held != b.held || a.wanted != b.wanted || a.thread != b.thread || a.clock != b.clock ||
      a.held_pc != b.held_pc || a.wanted_pc != b.wanted_pc || a.held_shared != b.held_shared ||
      a.wanted_shared != b.wanted_shared || a.gate_count != b.gate_count) {
    return false;
  }
  for (std::uint32_t i = 0; i < a.gate_count; ++i) {
    if (a.gates[i] != b.gates[i]) return false;
  }
  return true;
}

// Both held a common lock, at least one not as a reader: one had to wait until the other was done.
bool share_gate(const LockEdge& a, const LockEdge& b) {
  for (std::uint32_t i = 0; i < a.gate_count; ++i) {
    for (std::uint32_t k = 0; k < b.gate_count; ++k) {
      if (a.gates[i] >> 1 == b.gates[k] >> 1 && !(a.gates[i] & b.gates[k] & 1)) return true;
    }
  }
  return false;
}

// Whether the thread at `first` waits for a lock that the thread at `second` holds.
bool blocks(const LockEdge& first, const LockEdge& second) {
  return first.wanted == second.held && !(first.wanted_shared && second.held_shared);
}

}  // namespace

bool can_overlap(const LockEdge& a, const LockEdge& b) {
  return a.thread != b.thread && !share_gate(a, b);
}

void LockGraph::begin(std::uint64_t run) {
  run_ = run;
  count_ = 0;
}

const LockGraph::Slot* LockGraph::find(std::uint32_t lock) const {
  std::uint32_t slot = lock * 2654435761u % kSlots;
  while (slots_[slot].run == run_ && slots_[slot].lock != lock) slot = (slot + 1) % kSlots;
  return &slots_[slot];
}

std::uint32_t LockGraph::add(const LockEdge& edge) {
  auto* slot = const_cast<Slot*>(find(edge.held));
  if (slot->run == run_) {
    for (std::uint32_t i = slot->first; i != 0; i = edges_[i - 1].next) {
      if (same(edges_[i - 1], edge)) return kKnown;
    }
  }
  if (count_ == kMaxEdges) return kKnown;
  edges_[count_] = edge;
  edges_[count_].next = slot->run == run_ ? slot->first : 0;
  *slot = {run_, edge.held, count_ + 1};
  return count_++;
}

std::uint32_t LockGraph::find_cycle(std::uint32_t edge, Ordered ordered,
                                    std::uint32_t cycle[kMaxLockCycle]) const {
  cycle[0] = edge;
  std::uint32_t budget = kSearchBudget, length = 0;
  // Shortest cycles first: two locks before three.
  for (std::uint32_t depth = 2; depth <= kMaxLockCycle; ++depth) {
    length = 1;
    if (search(depth, edges_[edge].held, ordered, &budget, cycle, &length)) return length;
  }
  return 0;
}

bool LockGraph::search(std::uint32_t depth, std::uint32_t goal, Ordered ordered,
                       std::uint32_t* budget, std::uint32_t cycle[kMaxLockCycle],
                       std::uint32_t* length) const {
  const LockEdge& last = edges_[cycle[*length - 1]];
  const Slot* slot = find(last.wanted);
  if (slot->run != run_) return false;
  for (std::uint32_t i = slot->first; i != 0; i = edges_[i - 1].next) {
    if (*budget == 0) return false;
    --*budget;
    const LockEdge& next = edges_[i - 1];
    bool fits = blocks(last, next);
    for (std::uint32_t k = 0; fits && k < *length; ++k) {
      const LockEdge& other = edges_[cycle[k]];
      fits = can_overlap(other, next) && !ordered(next, other) && !ordered(other, next);
    }
    if (!fits) continue;
    cycle[(*length)++] = i - 1;
    if (*length == depth ? next.wanted == goal && blocks(next, edges_[cycle[0]])
                         : search(depth, goal, ordered, budget, cycle, length)) {
      return true;
    }
    --*length;
  }
  return false;
}

}  // namespace snag::rt
