#include "runtime/strategies/directed/directed.h"

namespace snag::rt {

Strategy* directed_strategy(const Directed& what, DirectedProgress* progress) {
  DirectedStrategy* strategy = nullptr;
  switch (what.kind) {
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
    case DirectedKind::kNone:  // holds nobody: a random walk
      strategy = directed_race();
      break;
  }
  strategy->set(what, progress);
  return strategy;
}

}  // namespace snag::rt
