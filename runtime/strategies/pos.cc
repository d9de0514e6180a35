// Implements runtime/strategies/registry.h: the strategy pos.
#include "runtime/base/arena.h"
#include "runtime/strategies/common.h"

namespace snag::rt {
namespace {

// Partial order sampling (Yuan, Yang, Gu; CAV 2018).
//
// Only the order of conflicting operations matters in a schedule: its partial order. A random walk
// decides the order of two racing operations by a coin that is weighted with the number of steps
// before each of them. POS instead gives every *pending operation* a random priority and always
// executes the highest, so an operation with a low priority waits while other threads take many
// steps. When an operation has been executed, the operations that raced with it (pending in other
// enabled threads, on the same object, at least one of the two a write) have lost that race and
// draw new priorities; otherwise an operation that lost once would be likely to lose again.
// Operations that do not conflict keep their priorities, so no randomness is wasted on their order.
// The probability of a partial order does not fall with the length of the stretches without
// conflicts.
class Pos final : public Strategy {
 public:
  constexpr Pos() : Strategy(StrategyKind::kPos) {}

  void begin(const RunPlan& plan) override {
    random_ = Random(salted(plan.seed, kind));
    priority_.clear();
  }

  Tid pick(const World& world) override {
    while (priority_.size() < world.thread_count) priority_.push_back(random_.next());
    Tid best = world.enabled[0];
    std::uint64_t best_priority = priority_[best];
    for (const Tid t : world.enabled.subspan(1)) {
      if (priority_[t] > best_priority) best = t, best_priority = priority_[t];
    }
    const Op& op = world.pending[best];
    priority_[best] = random_.next();  // for its next operation
    if (op.object != 0) {
      for (const Tid t : world.enabled) {
        if (t != best && conflicts(op, world.pending[t])) priority_[t] = random_.next();
      }
    }
    return best;
  }

  std::uint32_t choose(const World&, std::uint32_t n) override { return random_.below(n); }

 private:
  Random random_;
  MmapVector<std::uint64_t> priority_;  // of the pending operation of each thread
};

constinit Pos the_pos;

}  // namespace

Strategy* pos_strategy(const StrategySettings&) { return &the_pos; }

}  // namespace snag::rt
