// Records the callers of each step, and the values that it reads and writes (step_values.h), for
// runs that will be shown (Config::record_frames).
#pragma once

#include "runtime/sched/observer.h"

namespace snag::rt {

Observer* step_recorder();

}  // namespace snag::rt
