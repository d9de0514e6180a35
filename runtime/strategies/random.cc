// Implements runtime/strategies/registry.h: the strategy random.
#include "runtime/strategies/common.h"

namespace snag::rt {
namespace {

// The random walk: at each step every enabled thread is equally likely.
//
// It needs no knowledge of the program, costs one multiplication per step, and can produce every
// schedule, but with very unequal probabilities: a thread that must stand still while another takes
// k steps does so with probability 2^-k, and among n threads a particular one is rarely the last.
// So it is good at bugs that need many switches within a few steps (tight races, queues), and poor
// at bugs that need one long delay.
class RandomWalk final : public Strategy {
 public:
  constexpr RandomWalk() : Strategy(StrategyKind::kRandom) {}

  void begin(const RunPlan& plan) override {
    random_ = Random(salted(plan.seed, kind));
    drawn_ = random_.next();
  }

  Tid pick(const World& world) override {
    const auto n = static_cast<std::uint32_t>(world.enabled.size());
    return n == 1 ? world.enabled[0] : world.enabled[below(n)];
  }

  std::uint32_t choose(const World&, std::uint32_t n) override { return below(n); }

 private:
  // Draws one number ahead, so that the switch to the picked thread does not wait for the next one.
  std::uint32_t below(std::uint32_t n) {
    const std::uint32_t result = Random::below(drawn_, n);
    drawn_ = random_.next();
    return result;
  }

  Random random_;
  std::uint64_t drawn_ = 0;
};

constinit RandomWalk the_random_walk;

}  // namespace

Strategy* random_strategy(const StrategySettings&) { return &the_random_walk; }

}  // namespace snag::rt
