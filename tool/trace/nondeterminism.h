// Possible reasons that a failure does not come back with its own schedule.
#pragma once

#include <string>

#include "tool/binary/symbolizer.h"
#include "tool/session/failed_run.h"
#include "tool/trace/replay.h"

namespace snag::trace {

// Says how the replay differs from the run, where the two diverge, and what the program did that a
// schedule does not determine.
std::string explain_difference(const session::FailedRun& run, const ReplayResult& replay,
                               binary::Symbolizer& symbolizer);

}  // namespace snag::trace
