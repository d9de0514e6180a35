// Writes everything that the threads of a controlled run do to the tool's file, if the tool asks
// for it: see protocol/full_trace.h.
#pragma once

#include "runtime/sched/observer.h"

namespace snag::rt {

Observer* full_trace_observer();

}  // namespace snag::rt
