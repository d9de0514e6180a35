// The strategies that follow instead of choosing.
#pragma once

#include "protocol/shared_memory.h"
#include "runtime/sched/strategy.h"

namespace snag::rt {

Strategy* replay_strategy(Shared* shared);
Strategy* remote_strategy(Shared* shared);
Strategy* guided_strategy(Shared* shared);

}  // namespace snag::rt
