// Guided runs of a model instead of a program: for tests of shrinking.
#pragma once

#include "protocol/guide.h"
#include "runtime/strategies/models_for_test.h"
#include "tool/shrink/guided_run.h"

namespace snag::shrink {

class SimulatedRunner final : public GuidedRunner {
 public:
  explicit SimulatedRunner(rt::sim::Model model, int max_runs = 1'000'000)
      : model_(std::move(model)), left_(max_runs) {}

  std::optional<GuidedLog> run(const TargetSchedule& target) override {
    if (left_-- <= 0) return std::nullopt;
    execution_.emplace(model_);
    enabled_.clear();
    Guide guide;
    guide.begin(target.stretches);
    std::size_t choice = 0;
    bool ended_early = false;
    // A bug ends the run, as a failed assertion does.
    while (!execution_->over() && !model_.bug(*execution_)) {
      enabled_.resize((execution_->log().size() + 1) * kStepFrames);
      for (const Tid thread : execution_->enabled())
        enabled_[enabled_.size() - kStepFrames + thread / 64] |= std::uint64_t{1} << thread % 64;
      const World world = execution_->world();
      Tid next = guide.wanted(world);
      if (next == kNoTid && target.end_with_it) {
        ended_early = true;
        break;
      }
      if (next == kNoTid) next = Guide::fallback(world);
      execution_->step(
          next,
          [&](std::uint32_t n) {
            const std::uint32_t value =
                choice < target.choices.size() ? target.choices[choice].value : 0;
            ++choice;
            return value < n ? value : 0;
          },
          [](Tid, Tid) {});
    }
    enabled_.resize((execution_->log().size() + 1) * kStepFrames);
    GuidedLog log;
    log.ended_early = ended_early;
    log.same_failure = model_.bug(*execution_) || (deadlock_ && execution_->deadlock());
    log.steps = execution_->log();
    log.enabled = enabled_;
    log.choices = execution_->choices();
    return log;
  }

  void look_for_deadlocks() { deadlock_ = true; }

 private:
  rt::sim::Model model_;
  int left_;
  bool deadlock_ = false;
  std::optional<rt::sim::Execution> execution_;
  std::vector<std::uint64_t> enabled_;
};

}  // namespace snag::shrink
