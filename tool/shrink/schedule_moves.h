// Makes a failing schedule simpler by changes that keep most of it: delta debugging on the
// switches.
//
// Each move makes a target schedule; the executed schedule is accepted if it fails in the same way
// and costs less. The changes, from coarse to fine:
//  - put the stretches of a thread within a window of the schedule together, at the place of the
//    first or of the last of them: from the whole schedule down to windows of two;
//  - leave a thread out, until it is the only one that can go on;
//  - replace the rest of the schedule by the default rule (Guide::fallback);
//  - of single stretches: let it go on until its thread blocks, join it with the next one of the
//    same thread, here or there, leave it out, or end it earlier.
#pragma once

#include <functional>
#include <unordered_set>

#include "tool/shrink/guided_run.h"

namespace snag::shrink {

class ScheduleMoves {
 public:
  // `improved` is called with each better schedule.
  ScheduleMoves(GuidedRunner& runner, TargetSchedule start,
                std::function<void(const TargetSchedule&)> improved);

  // Runs until no move helps any more; false if there are no more runs.
  bool shrink();
  const TargetSchedule& best() const { return best_; }
  const ScheduleCost& cost() const { return cost_; }
  // Continues from a schedule that was found elsewhere.
  void take(TargetSchedule better);

 private:
  enum class Outcome { kNothing, kImproved, kNoMoreRuns };
  Outcome attempt(std::vector<Stretch> stretches);
  // Each true if something improved.
  bool group_windows();
  bool leave_out_threads();
  bool cut_tail();
  bool change_stretches();
  bool change_stretch(std::size_t index);

  GuidedRunner& runner_;
  TargetSchedule best_;
  ScheduleCost cost_;
  std::function<void(const TargetSchedule&)> improved_;
  std::unordered_set<std::uint64_t> tried_;
  bool no_more_runs_ = false;
};

}  // namespace snag::shrink
