// Implements runtime/strategies/registry.h: the strategy mix.
#include <iterator>

#include "runtime/strategies/common.h"

namespace snag::rt {
namespace {

// The default. No strategy is best at everything, so the runs are distributed among several:
//
//   surw    9 of 20   strongest where the bug is about one object, with any number of threads
//   pos     4 of 20   several objects at once, many switches
//   pct     5 of 20   one long delay; draws its depth for every run
//   random  2 of 20   tight races, and a safeguard against blind spots of the others
//
// With these shares a bug costs at most a few times as many runs as the best member alone would
// need. The turns have a fixed order that spreads each member evenly. Members learn from each
// other's runs too.
class Mix final : public Strategy, public Learner {
 public:
  constexpr Mix() : Strategy(StrategyKind::kMix, this) {}

  // Only `learn` moves on to the next turn, so that all processes agree about the turn.
  void begin(const RunPlan& plan) override {
    decider = kTurns[turn_ % std::size(kTurns)]({});
    decider->begin(plan);
  }
  Tid pick(const World& world) override { return decider->pick(world); }
  std::uint32_t choose(const World& world, std::uint32_t n) override {
    return decider->choose(world, n);
  }
  void thread_started(Tid thread, Tid creator) override {
    decider->thread_started(thread, creator);
  }

  void learn(const RunLog& log) override {
    ++turn_;
    pct_strategy({})->learner->learn(log);
    if (turn_ < kEagerTurns || turn_ % kLazyStride == 0) surw_strategy({})->learner->learn(log);
  }

 private:
  // What surw counts settles after some hundred runs, and counting takes up to a tenth of a short
  // run. So it counts only some of the later runs. The stride has no common factor with the number
  // of turns, so that the runs of every member are counted.
  static constexpr std::uint64_t kEagerTurns = 512;
  static constexpr std::uint64_t kLazyStride = 7;

  using Factory = Strategy*(const StrategySettings&);
  static constexpr Factory* S = surw_strategy;
  static constexpr Factory* P = pos_strategy;
  static constexpr Factory* C = pct_strategy;
  static constexpr Factory* R = random_strategy;
  // The first turn belongs to pos because surw has learned nothing yet.
  static constexpr Factory* kTurns[] = {P, S, C, S, R, S, P, S, C, S, P, S, C, S, R, C, S, P, S, C};

  std::uint64_t turn_ = 0;
};

constinit Mix the_mix;

}  // namespace

Strategy* mix_strategy(const StrategySettings&) { return &the_mix; }

}  // namespace snag::rt
