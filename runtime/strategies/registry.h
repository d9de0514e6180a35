// All strategies, as protocol/strategies.h lists them.
#pragma once

#include "runtime/sched/strategy.h"

namespace snag::rt {

// What strategies can be parameterised with. Each reads only its own.
struct StrategySettings {
  std::uint32_t pct_depth = 0;         // pct; 0: draw a depth for every run
  std::int32_t preemption_bound = -1;  // dfs; -1: no bound
  Shared* shared = nullptr;            // replay, remote, guided: the schedule to follow
  // Absolute program counters, as are those in `directed`.
  const WantedPair* wanted_pair = nullptr;
  // kBringsAboutDirected: how near the runs come to `directed` is recorded in `progress`, which
  // outlives them.
  const Directed* directed = nullptr;
  DirectedProgress* progress = nullptr;
};

// The factories. Each returns the only object of its strategy, set up for `settings`.
#define SNAG_FACTORY(id, number, name, factory, choice, traits) \
  Strategy* factory(const StrategySettings& settings);
SNAG_STRATEGIES(SNAG_FACTORY)
#undef SNAG_FACTORY

// By number. Null if there is no such strategy.
Strategy* make_strategy(StrategyKind kind, const StrategySettings& settings);

}  // namespace snag::rt
