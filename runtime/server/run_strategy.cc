#include "runtime/server/run_strategy.h"

#include "runtime/base/modules.h"
#include "runtime/record/wanted_pair.h"
#include "runtime/sched/observer.h"
#include "runtime/sched/scheduler.h"
#include "runtime/strategies/registry.h"

namespace snag::rt {
namespace {

// With the program counters as they are in this process.
Directed directed_here(const Shared* shared) {
  Directed directed = shared->config.directed;
  for (DirectedSide& side : directed.side) {
    for (DirectedPlace& place : side.places) {
      for (ModulePc& pc : place.frames) {
        if (pc != 0) pc = absolute_pc(shared, pc);
      }
    }
  }
  return directed;
}

// Sets the strategy up again when the program has loaded a library: the places that it is directed
// to may be in there.
class DirectedPlacesObserver final : public Observer {
 public:
  EventMask init(Shared* shared) override {
    return has_trait(shared->config.settings.strategy, kBringsAboutDirected) ? kObservesRareEvents
                                                                             : 0;
  }
  void modules_loaded() override {
    if (controlled) strategy_for(sched.shared);
  }
};

constinit DirectedPlacesObserver observer;

}  // namespace

Strategy* strategy_for(Shared* shared) {
  const Config& config = shared->config;
  Directed directed;
  StrategySettings settings{.pct_depth = config.settings.pct_depth,
                            .preemption_bound = config.settings.preemption_bound,
                            .shared = shared,
                            .wanted_pair = &wanted_pair(),
                            .progress = &shared->live.directed};
  if (has_trait(config.settings.strategy, kBringsAboutDirected)) {
    directed = directed_here(shared);
    settings.directed = &directed;
  }
  return make_strategy(config.settings.strategy, settings);
}

Observer* directed_places_observer() { return &observer; }

}  // namespace snag::rt
