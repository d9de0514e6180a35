// Whether a candidate happened in a run, judged by the steps of that run.
#pragma once

#include "tool/active/candidates/candidate.h"
#include "tool/session/failed_run.h"

namespace snag::active {

// kAtomicity: all accesses in between happened there, and the second access followed. Ignores the
// callers if the run has not recorded them (FailedRun::frames).
bool came_between(const Candidate& candidate, const session::FailedRun& run);

// kRace: both accesses happened, that of side `first` (0 or 1) before the other, and no other
// thread took a step in between.
bool made_in_order(const Candidate& candidate, const session::FailedRun& run, std::size_t first);

}  // namespace snag::active
