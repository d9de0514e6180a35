// What the strategies share among themselves.
#pragma once

#include "runtime/sched/strategy.h"

namespace snag::rt {

// Every member of a family of strategies sees the same seed; each mixes in its own salt, so that
// two of them never make the same decisions in step.
constexpr std::uint64_t salted(std::uint64_t seed, StrategyKind kind) {
  return mix64(seed ^ (0x5851f42d4c957f2dull * (static_cast<std::uint64_t>(kind) + 1)));
}

// Operations by which a thread says that it has nothing better to do than wait for others.
constexpr bool gives_way(OpKind kind) { return kind == OpKind::kYield || kind == OpKind::kSleep; }

}  // namespace snag::rt
