// Implements runtime/strategies/registry.h: the strategy cover.
#include "runtime/base/arena.h"
#include "runtime/strategies/common.h"
#include "runtime/strategies/wait_budget.h"

namespace snag::rt {
namespace {

// Brings about one location pair, the wanted pair: an access at `first` by one thread, directly
// followed, on the same memory, by an access at `second` by another thread.
//
// A thread that reaches one of the two places is held there until another thread is at the other
// place, about to access the same memory. Then both go, in the wanted order, and no other thread
// may access that memory in between. A held thread may own the lock that the other one needs. So a
// held thread is released, and not held again at that place, if no other thread can run or if it
// has waited for long; and each run draws how often it holds threads at all. Everything else is a
// random walk.
class WantedPairStrategy final : public Strategy {
 public:
  constexpr WantedPairStrategy() : Strategy(StrategyKind::kWantedPair) {}
  void set_pair(const WantedPair& pair) { pair_ = pair; }

  void begin(const RunPlan& plan) override {
    random_ = Random(salted(plan.seed, kind));
    for (std::uint32_t& odds : holds_) odds = kReadiness[random_.below(4)];
    threads_.clear();
    last_ = kNoTid;
    armed_ = kNoTid;
    met_ = false;
    wait_budget_.begin();
  }

  Tid pick(const World& world) override {
    while (threads_.size() < world.thread_count) threads_.push_back({});
    note_last_step();
    const Tid chosen = met_ ? any_of(world.enabled) : steer(world);
    last_ = chosen;
    last_op_ = world.pending[chosen];
    // It leaves its place. At the next one, decide again whether to hold it.
    threads_[chosen] = {};
    return chosen;
  }

  std::uint32_t choose(const World&, std::uint32_t n) override { return random_.below(n); }

 private:
  enum Side : std::uint8_t { kFirst, kSecond };
  // The probability of holding a thread at a place, in quarters. Half of the runs always hold.
  static constexpr std::uint32_t kReadiness[] = {4, 4, 3, 2};

  struct Standing {
    std::uint64_t pc = 0, object = 0;  // where `held` was decided
    bool held = false;
  };

  bool is_at(Side side, const Op& op) const {
    if (op.object == 0) return false;
    for (std::uint32_t i = 0; i < pair_.count[side]; ++i) {
      if (pair_.pcs[side][i] == op.pc) return true;
    }
    return false;
  }

  Tid any_of(std::span<const Tid> threads) {
    const auto n = static_cast<std::uint32_t>(threads.size());
    return n == 1 ? threads[0] : threads[random_.below(n)];
  }

  // Updates what is known about the pair by the last step.
  void note_last_step() {
    if (last_ == kNoTid || last_op_.object == 0) return;
    if (armed_ != kNoTid && last_op_.object == armed_object_) {
      met_ = met_ || (last_ != armed_ && is_at(kSecond, last_op_));
      armed_ = kNoTid;
    }
    if (is_at(kFirst, last_op_)) {
      armed_ = last_;
      armed_object_ = last_op_.object;
    }
  }

  // A thread other than `other` that is at that side, about to access the same memory.
  Tid partner(const World& world, Side side, Tid other, std::uint64_t object) {
    Tid found = kNoTid;
    std::uint32_t count = 0;
    for (const Tid t : world.enabled) {
      const Op& op = world.pending[t];
      if (t != other && op.object == object && is_at(side, op) && random_.below(++count) == 0)
        found = t;
    }
    return found;
  }

  bool is_held(const World& world, Tid t) {
    const Op& op = world.pending[t];
    if (armed_ != kNoTid && op.object == armed_object_) return true;
    const bool first = is_at(kFirst, op);
    if (!first && !is_at(kSecond, op)) return false;
    Standing& standing = threads_[t];
    if (standing.pc != op.pc || standing.object != op.object)
      standing = {op.pc, op.object, random_.below(4) < holds_[first ? kFirst : kSecond]};
    return standing.held;
  }

  // Draws one of the enabled threads that are not in `free_`. `free_` is in the order of
  // `world.enabled`.
  Tid any_of_held(const World& world) {
    held_.clear();
    std::size_t next_free = 0;
    for (const Tid t : world.enabled) {
      if (next_free < free_.size() && free_[next_free] == t)
        ++next_free;
      else
        held_.push_back(t);
    }
    return any_of({held_.data(), held_.size()});
  }

  Tid steer(const World& world) {
    if (armed_ != kNoTid) {
      const Tid t = partner(world, kSecond, armed_, armed_object_);
      if (t != kNoTid) return t;
    }
    free_.clear();
    for (const Tid t : world.enabled) {
      const Op& op = world.pending[t];
      if (is_at(kFirst, op) && partner(world, kSecond, t, op.object) != kNoTid) return t;
      if (!is_held(world, t)) free_.push_back(t);
    }
    if (free_.size() == world.enabled.size()) wait_budget_.renew();
    if (free_.empty()) return any_of(world.enabled);
    if (free_.size() != world.enabled.size() && wait_budget_.is_over()) {
      wait_budget_.shorten();
      return any_of_held(world);
    }
    return any_of({free_.data(), free_.size()});
  }

  WantedPair pair_{};
  Random random_;
  std::uint32_t holds_[2] = {};
  MmapVector<Standing> threads_;
  MmapVector<Tid> free_, held_;
  WaitBudget wait_budget_;
  Tid last_ = kNoTid;
  Op last_op_;
  Tid armed_ = kNoTid;  // the thread that has just passed the first place
  std::uint64_t armed_object_ = 0;
  bool met_ = false;
};

constinit WantedPairStrategy the_wanted_pair_strategy;

}  // namespace

Strategy* wanted_pair_strategy(const StrategySettings& settings) {
  the_wanted_pair_strategy.set_pair(*settings.wanted_pair);
  return &the_wanted_pair_strategy;
}

}  // namespace snag::rt
