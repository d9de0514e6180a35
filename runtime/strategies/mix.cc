#include "runtime/strategies/common.h"

namespace snag::rt {
namespace {

// The default: no strategy is best at everything, so the runs are dealt out to several.
//
//   surw    9 of 20   the strongest where one object is the heart of the bug, however many threads
//   there are pos     4 of 20   several objects at once, many switches pct     5 of 20   one long
//   delay; with its depth drawn per run random  2 of 20   tight races, and as a safeguard against
//   blind spots of the others
//
// With such shares a bug costs at most a few times what the best member alone needs. The turns are
// dealt in a fixed order that spreads each member evenly. All members learn from all runs.
class Mix final : public Strategy {
 public:
  // Who has the current run. It changes in `learn` only, so that the process that stays knows it
  // too.
  StrategyKind kind() const {
    switch (kTurns[turn_ % (sizeof(kTurns) - 1)]) {
      case 'S':
        return StrategyKind::kSurw;
      case 'P':
        return StrategyKind::kPos;
      case 'C':
        return StrategyKind::kPct;
      default:
        return StrategyKind::kRandom;
    }
  }

  void begin(const RunPlan& plan) override {
    member_ = member();
    member_->begin(plan);
  }
  Strategy* deciding() override { return member_; }
  Tid pick(const World& world) override { return member_->pick(world); }
  bool indifferent() const override { return member_->indifferent(); }
  std::uint32_t choose(const World& world, std::uint32_t n) override {
    return member_->choose(world, n);
  }
  void thread_started(Tid thread, Tid creator) override {
    member_->thread_started(thread, creator);
  }

  void learn(const RunLog& log) override {
    ++turn_;
    pct_strategy(0)->learn(log);
    if (turn_ < kEagerTurns || turn_ % kLazyStride == 0) surw_strategy()->learn(log);
  }

 private:
  // What surw counts is settled after some hundred runs, and costs as much as a tenth of a short
  // run: later only some of them are counted. (The stride has no common factor with the deal, so
  // that every member's runs are.)
  static constexpr std::uint64_t kEagerTurns = 512;
  static constexpr std::uint64_t kLazyStride = 7;
  // The first turn is pos because surw knows nothing yet.
  static constexpr char kTurns[] = "PSCSRSPSCSPSCSRCSPSC";

  Strategy* member() const {
    switch (kind()) {
      case StrategyKind::kSurw:
        return surw_strategy();
      case StrategyKind::kPos:
        return pos_strategy();
      case StrategyKind::kPct:
        return pct_strategy(0);
      default:
        return random_strategy();
    }
  }

  Strategy* member_ = nullptr;
  std::uint64_t turn_ = 0;
};

constinit Mix the_mix;

}  // namespace

Strategy* mix_strategy() { return &the_mix; }

StrategyKind mix_current() { return the_mix.kind(); }

}  // namespace snag::rt
