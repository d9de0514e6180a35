// Signals in a world where all threads share one kernel thread: each thread has its own mask and
// its own set of pending signals here, and handlers run at the thread's schedule points.
#pragma once

#include <cstdint>

namespace snag::rt {

struct Thread;

// Runs the handlers of what is pending and not masked.
void deliver_signals(Thread* thread);
// For ppoll and similar calls: the mask in force while they wait. False if it let a signal in at
// once.
bool enter_signal_mask(const void* set, std::uint64_t* before);
void leave_signal_mask(std::uint64_t before);
// Whether a signal from outside would run code of the program: a handler, which may do anything.
bool handles_signals();
// See Upcalls.
bool deliver_process_signals();
// See Upcalls; in io.cc.
bool may_come_from_outside(const Thread* thread);

}  // namespace snag::rt
