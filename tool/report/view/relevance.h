// Which steps of a failing run a person should see. A run has thousands of steps; only a few
// explain the failure: those on objects that several threads access, and of these the last ones
// before the failure.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "tool/report/view/step_kinds.h"
#include "tool/session/failed_run.h"

namespace snag::report {

// More rows do not fit on a screen.
inline constexpr std::size_t kMaxRows = 18;

struct RelevantSteps {
  std::vector<std::uint64_t> steps;  // numbers of steps from 0, in order
  // Others that would have been worth a row, if there were room for them.
  std::vector<std::uint64_t> left_out;
  // Rounds of a loop that are left out before the step: the loop's last round begins there.
  std::map<std::uint64_t, std::uint64_t> rounds;
  // A lost wakeup's signal that no thread was waiting for.
  std::vector<std::uint64_t> missed_signals;
};

RelevantSteps relevant_steps(const session::FailedRun& run, std::size_t max_rows = kMaxRows);

// Whether the thread is one that the failure is about.
bool is_concerned(const session::FailedRun& run, Tid thread);

}  // namespace snag::report
