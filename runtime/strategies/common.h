// What the strategies share with each other.
#pragma once

#include "runtime/strategies/registry.h"

namespace snag::rt {

// All strategies get the same seed. Each mixes in its own number, so that no two of them make the
// same decisions in step.
constexpr std::uint64_t salted(std::uint64_t seed, StrategyKind kind) {
  return mix64(seed ^ (0x5851f42d4c957f2dull * (static_cast<std::uint64_t>(kind) + 1)));
}

// Operations by which a thread says that it can only wait for others.
constexpr bool gives_way(OpKind kind) { return kind == OpKind::kYield || kind == OpKind::kSleep; }

}  // namespace snag::rt
