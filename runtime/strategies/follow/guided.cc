// Follows a schedule as far as it can be followed, and then goes on somehow, always in the same
// way: for runs that differ from a known one in a chosen place.
#include "protocol/guide.h"
#include "runtime/strategies/follow/follow.h"

namespace snag::rt {
namespace {

class Guided final : public Strategy {
 public:
  void open(Shared* shared) { shared_ = shared; }

  void begin(const RunPlan&) override {
    guide_.begin({shared_->schedule(), shared_->config.replay_length});
    choice_ = 0;
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

  std::uint32_t choose(const World&, std::uint32_t n) override {
    if (choice_ >= shared_->config.replay_choices) return 0;
    // The run writes its own choices over these as it makes them, each after it was read.
    const std::uint32_t value = shared_->choices[choice_++].value;
    return value < n ? value : 0;
  }

 private:
  Shared* shared_ = nullptr;
  Guide guide_;
  std::uint32_t choice_ = 0;
};

Guided guided;

}  // namespace

Strategy* guided_strategy(Shared* shared) {
  guided.open(shared);
  return &guided;
}

}  // namespace snag::rt
