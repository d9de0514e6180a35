// The strategies that follow instead of choosing.
#pragma once

#include "runtime/protocol.h"
#include "runtime/strategy.h"

namespace snag::rt {

Strategy* replay_strategy(Shared* shared);
Strategy* remote_strategy(Shared* shared);
Strategy* guided_strategy(Shared* shared);

}  // namespace snag::rt
