// Implements runtime/strategies/registry.h: the strategy guided.
#include "protocol/guide.h"
#include "runtime/strategies/follow/follower.h"

namespace snag::rt {
namespace {

// Follows a schedule as far as possible, and then continues by a fixed rule (Guide::fallback). For
// runs that differ from a known run at a chosen place.
class Guided final : public Follower {
 public:
  constexpr Guided() : Follower(StrategyKind::kGuided) {}

  void begin(const RunPlan& plan) override {
    Follower::begin(plan);
    guide_.begin({shared_->schedule(), shared_->config.replay_length});
  }

  Tid pick(const World& world) override {
    std::uint64_t* able = shared_->enabled() + world.step * kStepFrames;
    for (std::uint32_t i = 0; i < kStepFrames; ++i) able[i] = 0;
    for (const Tid thread : world.enabled) {
      if (thread < kMaskedThreads) able[thread / 64] |= std::uint64_t{1} << thread % 64;
    }
    const Tid wanted = guide_.wanted(world);
    if (wanted != kNoTid || shared_->config.end_with_schedule != 0) return wanted;
    return Guide::fallback(world);
  }

 private:
  Guide guide_;
};

constinit Guided the_guided;

}  // namespace

Strategy* guided_strategy(const StrategySettings& settings) {
  the_guided.open(settings.shared);
  return &the_guided;
}

}  // namespace snag::rt
