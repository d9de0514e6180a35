// The observers that this runtime has, all together.
#pragma once

#include "protocol/shared_memory.h"

namespace snag::rt {

// Once, in the process that outlives the runs: switches on those that `shared->config` asks for.
void init_observers(Shared* shared);
// The run `shared->run` is about to begin, or is over. `in_process`: see Observer::begin_run.
void begin_observed_run(const Shared* shared, bool in_process);
void end_observed_run(const Shared* shared);

}  // namespace snag::rt
