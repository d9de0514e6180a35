// Implements runtime/strategies/directed/directed.h: races.
#include "runtime/strategies/directed/directed.h"

namespace snag::rt {
namespace {

// Two threads about to access the same memory at the same time. Holds a thread that reaches one of
// the two places until another thread is at the other place. Then both go, one directly after the
// other.
class DirectedRace final : public DirectedStrategy {
 private:
  // The probability of holding a thread at a place, in quarters. A held thread may own the lock
  // that the other one needs on its way, so runs differ.
  static constexpr std::uint32_t kReadiness[] = {4, 4, 3, 2};

  void begin_run(const RunPlan& plan) override {
    for (std::uint32_t& quarters : waits_) quarters = kReadiness[random().below(4)];
    // The first run holds at both places.
    if (plan.number == 0) waits_[0] = waits_[1] = 4;
    second_ = goes_on_ = kNoTid;
    order_ = what().order;
  }

  bool is_settled() const override { return order_ != 0 && has_happened() && second_ == kNoTid; }
  Tid who_goes_on() const override { return goes_on_; }

  void passed(Tid, const Op&, std::uint32_t) override {}

  // Freeing a block counts as writing to all of it.
  static bool is_inside(const World& world, const Op& free, const Op& access) {
    return free.kind == OpKind::kFree && world.block_size != nullptr &&
           op_access(access.kind) != '-' &&
           access.object - free.object < world.block_size(free.object);
  }

  static bool touch_same_memory(const World& world, const Op& a, const Op& b) {
    return conflicts(a, b) || is_inside(world, a, b) || is_inside(world, b, a);
  }

  Tid other_at(const World& world, std::uint32_t side, Tid than, const Op& where) {
    for (const Tid t : world.enabled) {
      if (t != than && is_at(sides_at(world, t), side) &&
          touch_same_memory(world, world.pending[t], where))
        return t;
    }
    return kNoTid;
  }

  bool is_enabled(const World& world, Tid thread) const {
    for (const Tid t : world.enabled) {
      if (t == thread) return true;
    }
    return false;
  }

  Tid who_must_go(const World& world) override {
    if (second_ != kNoTid) {
      const Tid t = second_;
      second_ = kNoTid;
      if (is_enabled(world, t)) return t;
    }
    for (const Tid t : world.enabled) {
      if (!is_at(sides_at(world, t), 0)) continue;
      const Tid partner = other_at(world, 1, t, world.pending[t]);
      if (partner == kNoTid) continue;
      together(2);
      happened();
      const bool first_first = order_ == 0 ? random().below(2) == 0 : order_ % 2 == 1;
      second_ = first_first ? partner : t;
      goes_on_ = order_ > 2 ? partner : t;
      return first_first ? t : partner;
    }
    return kNoTid;
  }

  bool must_wait(const World&, Tid t, std::uint32_t sides) override {
    together(1);
    return draw(t, waits_[is_at(sides, 0) ? 0 : 1]);
  }

  std::uint32_t waits_[2] = {};
  std::uint8_t order_ = 0;
  Tid second_ = kNoTid;   // the second thread of a pair whose first thread has just gone
  Tid goes_on_ = kNoTid;  // the thread that goes on after both
};

constinit DirectedRace the_race;

}  // namespace

DirectedStrategy* directed_race() { return &the_race; }

}  // namespace snag::rt
