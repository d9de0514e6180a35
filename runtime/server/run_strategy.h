// The strategy that Config asks for, with program counters as they are in this process.
#pragma once

#include "protocol/shared_memory.h"
#include "runtime/sched/strategy.h"

namespace snag::rt {

// Null if this runtime does not know it.
Strategy* strategy_for(Shared* shared);

}  // namespace snag::rt
