// Signals in a world where all threads share one kernel thread: each thread has its own mask and
// its own pending set here, and handlers run at the thread's schedule points.
#pragma once

#include <cstdint>

namespace snag::rt {

struct Thread;

std::uint64_t current_signal_mask();
void apply_signal_mask(const Thread* thread);
// Runs the handlers of what is pending and not masked.
void deliver_signals(Thread* thread);
// While everybody waits for the outside world: signals that came meanwhile. True if they changed
// anything.
bool deliver_process_signals();

}  // namespace snag::rt
