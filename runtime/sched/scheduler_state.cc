#include "runtime/sched/scheduler_state.h"

#include "protocol/access_groups.h"
#include "runtime/sched/observer.h"

// (The plugins' code reads it.)
extern "C" {
[[gnu::visibility("default")]] constinit std::uint8_t __snag_hook_mode = snag::kHooksOff;
}

namespace snag::rt {

constinit Scheduler sched{};
constinit bool controlled = false;
constinit HookMode hook_mode = HookMode::kNative;
constinit std::uint32_t quiet_limit = kQuietLimit;
constinit Points points = Points::kSync;

void set_hook_mode(HookMode mode) {
  hook_mode = mode;
  __snag_hook_mode = mode == HookMode::kNative     ? kHooksOff
                     : mode == HookMode::kCovering ? kHooksGrouped
                                                   : kHooksApart;
}

void set_controlled(bool value) {
  controlled = value;
  const bool observed = observes(kObservesAccesses);
  set_hook_mode(!value     ? HookMode::kNative
                : observed ? HookMode::kObserved
                           : HookMode::kControlled);
  quiet_limit = observed ? 0 : kQuietLimit;
}

}  // namespace snag::rt
