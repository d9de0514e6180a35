// Which failing runs show the same failure.
#pragma once

#include <string>

#include "tool/binary/symbolizer.h"
#include "tool/session/failed_run.h"

namespace snag::session {

// The run as one in which only its race counts. It must have a race.
FailedRun race_alone(FailedRun run);

// Equal for failures that a person would call the same: same kind, same detail, and the threads
// concerned were at the same places.
std::string failure_signature(const FailedRun& run, binary::Symbolizer& symbolizer);

// Where a thread of a failure was, in the user's own code. Empty if unknown.
std::string access_place(const FailedRun& run, const AccessReport& access,
                         binary::Symbolizer& symbolizer);
std::string thread_place(const FailedRun& run, const ThreadReport& thread,
                         binary::Symbolizer& symbolizer);

}  // namespace snag::session
