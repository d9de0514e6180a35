// Looks for waits that only their timeout ended, because the signal had come before
// (unheard_signal.h), and writes them to Shared::late_wakeups, or ends the run.
#pragma once

#include <cstdint>

#include "runtime/sched/scheduler.h"

namespace snag::rt {

// A wait for a condition variable, about which a decision is due.
[[gnu::visibility("hidden")]] extern bool late_wakeup_pending;

// The current thread's wait, which it began at step `wait`, ended by its timeout after `length`
// nanoseconds, when no other thread could go on.
void note_idle_timeout(const SyncObject* condition, const SyncObject* mutex, std::uint64_t wait,
                       std::int64_t length, std::uint64_t pc);
// The thread waits for the condition variable again: it had seen nothing that it missed.
void late_wakeup_waits(const SyncObject* condition);
// The thread releases the mutex, instead of waiting again.
void late_wakeup_unlocks(const SyncObject* mutex);

}  // namespace snag::rt
