// Implements runtime/strategies/directed/directed.h: atomicity violations.
#include "runtime/strategies/directed/directed.h"

namespace snag::rt {
namespace {

// Two accesses of one thread with another thread's access in between. Holds the other thread until
// the first thread has made its first access, and then the first thread before its second access
// until the other thread has made its own.
class DirectedAtomicity final : public DirectedStrategy {
 private:
  enum Side : std::uint32_t { kFirst, kSecond, kBetween, kBetweenToo };

  void begin_run(const RunPlan& plan) override {
    opened_by_ = kNoTid;
    is_between_ = false;
    // Most runs hold threads wherever they can. Some do so at random, and skip the first
    // opportunities.
    const bool strict = plan.number % 4 != 3;
    waits_ = strict ? 4 : 2 + random().below(3);
    passes_ = strict ? 0 : 1 + random().below(3);
    // A thread held before its access in between may own a lock that the first access needs.
    between_waits_ = plan.number % 3 == 0 ? 4 : plan.number % 3 == 1 ? 0 : 1 + random().below(4);
  }

  bool fits(const Op& op) const { return what().any_memory != 0 || op.object == object_; }

  void open(Tid t, const Op& op, std::uint32_t sides) {
    opened_by_ = kNoTid;
    is_between_ = false;
    if (!is_at(sides, kFirst)) return;
    if (passes_ > 0) {
      --passes_;
      return;
    }
    opened_by_ = t;
    object_ = op.object;
    together(1);
  }

  void passed(Tid t, const Op& op, std::uint32_t sides) override {
    if (opened_by_ == kNoTid) return open(t, op, sides);
    if (t != opened_by_) {
      // If there are several accesses in between, the last one counts.
      if (!is_at(sides, what().sides > kBetweenToo ? kBetweenToo : kBetween) || !fits(op)) return;
      is_between_ = true;
      return together(2);
    }
    if (is_at(sides, kSecond)) {
      open(t, op, sides);
    } else if (!is_between_ && is_at(sides, kFirst)) {
      object_ = op.object;
    }
  }

  Tid who_must_go(const World& world) override {
    if (opened_by_ == kNoTid) return kNoTid;
    for (const Tid t : world.enabled) {
      const std::uint32_t sides = sides_at(world, t);
      if (is_between_) {
        if (t != opened_by_ || !is_at(sides, kSecond)) continue;
        // Record it now: the next step may end the run.
        together(3);
        happened();
        return t;
      }
      const bool comes_between = is_at(sides, kBetween) || is_at(sides, kBetweenToo);
      if (t != opened_by_ && comes_between && fits(world.pending[t])) return t;
    }
    return kNoTid;
  }

  bool is_led(Tid t) const override { return t == opened_by_; }

  bool must_wait(const World& world, Tid t, std::uint32_t sides) override {
    if (t != opened_by_)
      return (is_at(sides, kBetween) || is_at(sides, kBetweenToo)) && draw(t, between_waits_);
    // At its second access the thread may own a lock that the other one needs, so hold it earlier,
    // before it takes the lock.
    const bool is_there = is_at(sides, kSecond) || is_lock(world.pending[t].kind);
    return !is_between_ && is_there && draw(t, waits_);
  }

  static bool is_lock(OpKind kind) {
    return kind == OpKind::kMutexLock || kind == OpKind::kRwReadLock ||
           kind == OpKind::kRwWriteLock || kind == OpKind::kSpinLock;
  }

  std::uint32_t waits_ = 4, between_waits_ = 4;
  std::uint32_t passes_ = 0;  // opportunities still to skip
  Tid opened_by_ = kNoTid;    // the thread between its first and its second access
  std::uint64_t object_ = 0;
  bool is_between_ = false;
};

constinit DirectedAtomicity the_atomicity;

}  // namespace

DirectedStrategy* directed_atomicity() { return &the_atomicity; }

}  // namespace snag::rt
