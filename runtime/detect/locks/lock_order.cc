#include "runtime/detect/locks/lock_order.h"

#include "runtime/detect/locks/lock_graph.h"
#include "runtime/sched/start_join.h"

namespace snag::rt {
namespace {

constinit LockGraph graph;
constinit std::uint64_t graph_run = 0;
constinit LockOrderReport::Side sides[LockGraph::kMaxEdges]{};  // of the edges

bool is_ordered(const LockEdge& earlier, const LockEdge& later) {
  return start_join_knows(later.thread, earlier.thread, earlier.clock);
}

bool same_places(const LockOrderReport::Side& a, const LockOrderReport::Side& b) {
  return a.held_stack[0] == b.held_stack[0] && a.stack[0] == b.stack[0];
}

bool is_told(const std::uint32_t* cycle, std::uint32_t length) {
  const std::uint32_t count = sched.shared->live.lock_order_count.load(std::memory_order_relaxed);
  for (std::uint32_t i = 0; i < count; ++i) {
    const LockOrderReport& known = sched.shared->lock_orders[i];
    bool all = known.count == length;
    for (std::uint32_t k = 0; all && k < length; ++k) {
      all = false;
      for (std::uint32_t j = 0; j < length && !all; ++j)
        all = same_places(sides[cycle[k]], known.sides[j]);
    }
    if (all) return true;
  }
  return false;
}

void tell(const std::uint32_t* cycle, std::uint32_t length) {
  const std::uint32_t count = sched.shared->live.lock_order_count.load(std::memory_order_relaxed);
  if (count >= kMaxLockOrders || is_told(cycle, length)) return;
  LockOrderReport& report = sched.shared->lock_orders[count];
  for (std::uint32_t i = 0; i < length; ++i) report.sides[i] = sides[cycle[i]];
  report.count = length;
  sched.shared->live.lock_order_count.store(count + 1, std::memory_order_release);
}

bool is_watched(const SyncObject* object) {
  return object->what == LockKind::kMutex || object->what == LockKind::kRwLock;
}

void describe(LockOrderReport::Side& side, std::uint32_t held_index, const SyncObject* wanted,
              std::uint64_t pc) {
  const Thread* t = sched.current;
  side.thread = t->tid;
  side.held = t->tables->held[held_index]->address;
  side.wanted = wanted->address;
  bool is_over = false;  // entries after a zero are old
  for (std::uint32_t i = 0; i < kStepFrames; ++i) {
    const std::uint64_t place_pc = places_of(t)[held_index].pcs[i];
    is_over |= place_pc == 0;
    side.held_stack[i] = is_over ? 0 : place_pc;
  }
  std::uint16_t depth = 0;
  side.stack[depth++] = display_pc(t, pc);
  std::uint32_t top = t->depth < kCallStackDepth ? t->depth : kCallStackDepth;
  while (top > 0 && depth < kMaxStackDepth) side.stack[depth++] = t->tables->calls[--top];
  side.depth = depth;
}

}  // namespace

void note_nested(SyncObject* wanted, bool shared, std::uint64_t pc) {
  const Thread* t = sched.current;
  // A thread that holds more locks than were recorded may hold a gate lock that was not.
  if (t->held_lost != 0 || !has_start_join_clock(t->tid) || holds(t, wanted)) return;
  if (graph_run != sched.run) graph.begin(graph_run = sched.run);
  for (std::uint32_t i = 0; i < t->held_count; ++i) {
    const SyncObject* held = t->tables->held[i];
    if (!is_watched(held)) continue;
    LockEdge edge{};
    edge.held = held->number;
    edge.wanted = wanted->number;
    edge.held_shared = held->owner != t->tid;
    edge.wanted_shared = shared;
    edge.thread = t->tid;
    edge.clock = start_join_time(t->tid);
    edge.held_pc = places_of(t)[i].pcs[0];
    edge.wanted_pc = pc;
    for (std::uint32_t k = 0; k < t->held_count; ++k) {
      if (k == i || !is_watched(t->tables->held[k])) continue;
      edge.gates[edge.gate_count++] =
          t->tables->held[k]->number * 2 + (t->tables->held[k]->owner != t->tid);
    }
    const std::uint32_t number = graph.add(edge);
    if (number == LockGraph::kKnown) continue;
    describe(sides[number], i, wanted, pc);
    std::uint32_t cycle[kMaxLockCycle];
    if (const std::uint32_t length = graph.find_cycle(number, is_ordered, cycle))
      tell(cycle, length);
  }
}

}  // namespace snag::rt
