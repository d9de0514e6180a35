#include "runtime/strategies/directed/directed.h"

namespace snag::rt {

Strategy* directed_strategy(const StrategySettings& settings) {
  DirectedStrategy* strategy = nullptr;
  switch (settings.directed->kind) {
    case DirectedKind::kDeadlock:
      strategy = directed_deadlock();
      break;
    case DirectedKind::kAtomicity:
      strategy = directed_atomicity();
      break;
    case DirectedKind::kAssertion:
      strategy = directed_assertion();
      break;
    case DirectedKind::kRace:
    case DirectedKind::kNone:  // holds no thread: a random walk
      strategy = directed_race();
      break;
  }
  strategy->set(*settings.directed, settings.progress);
  return strategy;
}

}  // namespace snag::rt
