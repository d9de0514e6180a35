// Implements runtime/strategies/registry.h: the strategy assert.
#include "runtime/strategies/directed/directed.h"

namespace snag::rt {
namespace {

// Algorithm 1 of "Checking Assertions in Concurrent Programs with Active Testing". A thread that
// reaches a breakpoint (a read by an assertion, or a write to what the assertion reads) is paused
// with the breakpoint's probability, which starts at 1 and is halved with each pause, across runs.
// When all threads are paused, one is released.
class Breakpoints final : public DirectedStrategy {
 public:
  constexpr Breakpoints() : DirectedStrategy(StrategyKind::kBreakpoints) {}

 private:
  static constexpr std::uint8_t kMaxHalved = 30;  // 2^-30 is as good as 0

  void begin_run(const RunPlan&) override { paused_.clear(); }

  void passed(Tid t, const Op&, std::uint32_t) override {
    if (t < paused_.size()) paused_[t] = {};
  }
  Tid who_must_go(const World&) override { return kNoTid; }

  bool must_wait(const World&, Tid t, std::uint32_t sides) override {
    while (paused_.size() <= t) paused_.push_back({});
    Paused& paused = paused_[t];
    if (paused.is_decided) return paused.is_paused;
    paused.is_decided = true;
    const std::uint32_t side = is_at(sides, 0) ? 0 : 1;
    std::uint8_t& halved = progress().halved[side][place_at(t, side)];
    paused.is_paused = random().below(1u << halved) == 0;
    if (paused.is_paused && halved < kMaxHalved) ++halved;
    return paused.is_paused;
  }

  struct Paused {
    bool is_decided, is_paused;
  };
  MmapVector<Paused> paused_;
};

constinit Breakpoints the_breakpoints;

}  // namespace

Strategy* breakpoints_strategy(const StrategySettings& settings) {
  the_breakpoints.set(*settings.directed, settings.progress);
  return &the_breakpoints;
}

}  // namespace snag::rt
