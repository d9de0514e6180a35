// Runs that follow a target schedule as far as possible (see protocol/guide.h). The log says what
// was executed.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "protocol/shared_memory.h"

namespace snag::shrink {

struct TargetSchedule {
  std::vector<Stretch> stretches;  // a length of kUntilBlocked: until the thread blocks or ends
  std::vector<Choice> choices;
  bool end_with_it = false;      // the run ends where the target ends
  std::uint64_t event_hash = 0;  // of the run, if the target is what was executed
};

// One run. The runner owns the memory, which is valid until its next run.
struct GuidedLog {
  bool same_failure = false;  // it failed in the way that is looked for
  bool ended_early =
      false;  // the target ended: `enabled` after the last step says which threads could go on
  std::span<const Step> steps;
  std::span<const std::uint64_t> enabled;  // see Shared::enabled; one more than there are steps
  std::span<const Choice> choices;
  std::uint64_t event_hash = 0;  // of a failing run

  // Whether the thread could continue before that step; only for threads below kMaskedThreads.
  bool could_go_on(std::size_t step, Tid thread) const {
    return thread < kMaskedThreads &&
           (enabled[step * kStepFrames + thread / 64] >> thread % 64 & 1) != 0;
  }
};

class GuidedRunner {
 public:
  virtual ~GuidedRunner() = default;
  // Nothing if there will be no more runs, because the time is up or for another reason.
  virtual std::optional<GuidedLog> run(const TargetSchedule& target) = 0;
};

// How much a person has to follow; less is better.
struct ScheduleCost {
  std::size_t switches = 0;
  std::size_t threads = 0;
  std::size_t steps = 0;
  auto operator<=>(const ScheduleCost&) const = default;
};

// The exact form of what was executed.
TargetSchedule target_of(const GuidedLog& log);
ScheduleCost cost_of(std::span<const Stretch> stretches);

}  // namespace snag::shrink
