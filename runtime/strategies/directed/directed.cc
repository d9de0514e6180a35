#include "runtime/strategies/directed/directed.h"

namespace snag::rt {
namespace {

DirectedStrategy* strategy_for(DirectedKind kind) {
  switch (kind) {
    case DirectedKind::kNone:  // without places no thread is ever held: a random walk
      return directed_race();
#define SNAG_CASE(kind, word) \
  case DirectedKind::kind:    \
    return directed_##word();
      SNAG_DIRECTED_KINDS(SNAG_CASE)
#undef SNAG_CASE
  }
  return directed_race();
}

}  // namespace

Strategy* directed_strategy(const StrategySettings& settings) {
  DirectedStrategy* strategy = strategy_for(settings.directed->kind);
  strategy->set(*settings.directed, settings.progress);
  return strategy;
}

}  // namespace snag::rt
