// Follows a recorded schedule exactly: the thread of every step is known.
#include "runtime/strategies/follow/follow.h"

namespace snag::rt {
namespace {

class Replay final : public Strategy {
 public:
  void open(Shared* shared) {
    shared_ = shared;
    stretch_ = 0;
    end_ = 0;
    choice_ = 0;
  }

  void begin(const RunPlan&) override { open(shared_); }

  Tid pick(const World& world) override {
    const Stretch* schedule = shared_->schedule();
    while (world.step >= end_) {
      if (stretch_ == shared_->config.replay_length) {
        // Behind the last step only what cannot be otherwise is followed.
        return world.enabled.size() == 1 ? world.enabled[0] : kNoTid;
      }
      end_ += schedule[stretch_++].steps;
    }
    return schedule[stretch_ - 1].thread;
  }

  std::uint32_t choose(const World&, std::uint32_t n) override {
    if (choice_ >= shared_->config.replay_choices) return 0;
    // The run writes its own choices over these as it makes them: the same ones.
    const std::uint32_t value = shared_->choices[choice_++].value;
    return value < n ? value : 0;
  }

 private:
  Shared* shared_ = nullptr;
  std::uint32_t stretch_ = 0;  // entered so far
  std::uint64_t end_ = 0;      // first step behind the current one
  std::uint32_t choice_ = 0;
};

Replay replay;

}  // namespace

Strategy* replay_strategy(Shared* shared) {
  replay.open(shared);
  return &replay;
}

}  // namespace snag::rt
