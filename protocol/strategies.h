// The strategies that choose the thread that runs next.
#pragma once

#include <cstdint>

namespace snag {

enum class StrategyKind : std::uint8_t {
  kRandom,
  kPct,
  kPos,
  kSurw,
  kDfs,
  kMix,
  kReplay,
  kRemote,
  kGuided,
  kCover,
  kActive,  // makes Config::directed happen
  kAssert,  // the same for assertions, as Algorithm 1 of "Checking Assertions in Concurrent
            // Programs with Active Testing" does
};

}  // namespace snag
