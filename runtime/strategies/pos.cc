#include "runtime/base/arena.h"
#include "runtime/strategies/common.h"

namespace snag::rt {
namespace {

// Partial order sampling (Yuan, Yang, Gu; CAV 2018).
//
// What matters of a schedule is only the order of the operations that conflict: its partial order.
// A random walk decides the order of two racing operations by a coin weighted with how many steps
// stand before each of them. POS instead gives every *pending operation* a random priority and
// always executes the highest. An operation with a low priority thus waits while the others do many
// steps. When an operation has been executed, those that raced with it (pending in other threads,
// enabled, on the same object, one of them a write) have lost that race, and draw new priorities:
// else an operation that lost once would be likely to lose again. The order of operations that do
// not conflict stays whatever the priorities made of it, so no randomness is wasted on it. Every
// partial order has a probability that does not shrink with the length of the stretches without
// conflicts.
class Pos final : public Strategy {
 public:
  void begin(const RunPlan& plan) override {
    random_ = Random(salted(plan.seed, StrategyKind::kPos));
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
    priority_[best] = random_.next();  // of its next operation
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

Strategy* pos_strategy() { return &the_pos; }

}  // namespace snag::rt
