#include "runtime/strategies/directed/directed.h"

namespace snag::rt {
namespace {

// Algorithm 1 of "Checking Assertions in Concurrent Programs with Active Testing": a thread that
// comes to a breakpoint (a read of an assertion, or a write to what it reads) is paused with the
// breakpoint's probability, which is 1 at first and halved with each pause, also over the runs.
// When all are paused, one is let go.
class AssertStrategy final : public DirectedStrategy {
 private:
  static constexpr std::uint8_t kLeast = 30;  // halved so often, it is as good as 0

  void begin_run(const RunPlan&) override { paused_.clear(); }

  void passed(Tid t, const Op&, std::uint32_t) override {
    if (t < paused_.size()) paused_[t] = {};
  }
  Tid who_must_go(const World&) override { return kNoTid; }

  bool must_wait(const World&, Tid t, std::uint32_t sides) override {
    while (paused_.size() <= t) paused_.push_back({});
    Paused& paused = paused_[t];
    if (paused.is_judged) return paused.is_paused;
    paused.is_judged = true;
    const std::uint32_t side = is_at(sides, 0) ? 0 : 1;
    std::uint8_t& halved = progress().halved[side][place_at(t, side)];
    paused.is_paused = random().below(1u << halved) == 0;
    if (paused.is_paused && halved < kLeast) ++halved;
    return paused.is_paused;
  }

  struct Paused {
    bool is_judged, is_paused;
  };
  MmapVector<Paused> paused_;
};

constinit AssertStrategy the_assert;

}  // namespace

Strategy* assert_strategy(const Directed& what, DirectedProgress* progress) {
  the_assert.set(what, progress);
  return &the_assert;
}

}  // namespace snag::rt
