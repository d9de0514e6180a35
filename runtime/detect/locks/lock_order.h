// Watches the order in which locks are taken (see lock_graph.h), and writes orders that could
// deadlock in another schedule to Shared::lock_orders.
#pragma once

#include <cstdint>

#include "runtime/sched/scheduler.h"

namespace snag::rt {

void note_nested(SyncObject* wanted, bool shared, std::uint64_t pc);

// The current thread is about to wait for a lock until it has it.
inline void note_wanted(SyncObject* wanted, bool shared, std::uint64_t pc) {
  if (__builtin_expect(sched.current->held_count != 0 && sched.lock_order && sched.thread_count > 1,
                       0))
    note_nested(wanted, shared, pc);
}

}  // namespace snag::rt
