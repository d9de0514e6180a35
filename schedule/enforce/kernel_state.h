// What the kernel says about a thread, from /proc. Asked only where the interposed functions cannot
// know.
#pragma once

#include <cstdint>

#include "schedule/enforce/threads.h"

namespace snag::schedule {

enum class KernelState : std::uint8_t { kAsleep, kAwake, kUnknown };
// Whether a thread sleeps in the kernel, in `wait` as far as that can be told.
KernelState kernel_state_of(const Thread* thread, const Wait& wait);
// Asleep, and since the last call with the same thread, too.
bool sleeps_on(Thread* thread);
// Tasks of the process that are not threads of the registry.
bool has_unknown_tasks(int known);

}  // namespace snag::schedule
