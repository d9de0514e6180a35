// Implements runtime/strategies/registry.h: the strategy replay.
#include "runtime/strategies/follow/follower.h"

namespace snag::rt {
namespace {

// Follows a recorded schedule exactly: it names the thread of every step.
class Replay final : public Follower {
 public:
  constexpr Replay() : Follower(StrategyKind::kReplay) {}

  void begin(const RunPlan& plan) override {
    Follower::begin(plan);
    stretch_ = 0;
    end_ = 0;
  }

  Tid pick(const World& world) override {
    const Stretch* schedule = shared_->schedule();
    while (world.step >= end_) {
      if (stretch_ == shared_->config.replay_length) {
        // After the end of the schedule, follow only steps that have no alternative.
        return world.enabled.size() == 1 ? world.enabled[0] : kNoTid;
      }
      end_ += schedule[stretch_++].steps;
    }
    return schedule[stretch_ - 1].thread;
  }

 private:
  std::uint32_t stretch_ = 0;  // stretches entered so far
  std::uint64_t end_ = 0;      // first step after the current stretch
};

constinit Replay the_replay;

}  // namespace

Strategy* replay_strategy(const StrategySettings& settings) {
  the_replay.open(settings.shared);
  return &the_replay;
}

}  // namespace snag::rt
