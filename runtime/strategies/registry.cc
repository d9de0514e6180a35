#include "runtime/strategies/registry.h"

namespace snag::rt {

Strategy* make_strategy(StrategyKind kind, const StrategySettings& settings) {
  switch (kind) {
#define SNAG_CASE(id, number, name, factory, choice, traits) \
  case StrategyKind::id:                                     \
    return factory(settings);
    SNAG_STRATEGIES(SNAG_CASE)
#undef SNAG_CASE
  }
  return nullptr;
}

}  // namespace snag::rt
