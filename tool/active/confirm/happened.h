// Whether what a candidate is about happened in a run, by the steps of that very run.
#pragma once

#include "tool/active/candidates/candidate.h"
#include "tool/session/failed_run.h"

namespace snag::active {

// kAtomicity: all that is to come in between came in between, and the second access followed. In a
// run that does not know the callers of its steps (FailedRun::frames) these are not looked at.
bool came_between(const Candidate& candidate, const session::FailedRun& run);

// kRace: both accesses were made, the one of that side (0 or 1) first, and nobody else did anything
// before the other one followed.
bool made_in_order(const Candidate& candidate, const session::FailedRun& run, std::size_t first);

}  // namespace snag::active
