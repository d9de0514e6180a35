// Which threads are asleep, according to the threads themselves, and where that is not enough,
// according to the kernel.
#pragma once

#include "schedule/enforce/enforcer_state.h"

namespace snag::schedule {

// Whether the thread has said that it waits for the object.
bool waits_for(const Thread* thread, const void* object);
// Whether it still holds the mutex that it is about to release in the condition variable.
bool is_arriving(const Thread* thread);
// Whether it waits for a lock whose holder runs: it will get the lock soon, and does not count as
// blocked.
bool waits_for_a_moment(const Thread* thread);
// For example, released by a wait on a condition variable, which is not reported.
bool is_free(const void* mutex);
// Whether a thread is just now waking the waiters of this object.
bool is_being_woken(const Thread* thread);
void tell_monitor(EventKind kind, Thread* thread);
// Asks the kernel about a thread that has said that it waits. True if it is asleep.
bool resolve(Thread* thread);
void resolve_all();
// Threads that sleep in a system call that is not interposed.
void find_sleepers();
// The thread was found asleep in a system call (find_sleepers), and no longer is.
void forget_sleep(Thread* thread);
// Whether the watchdog has to check again soon.
bool has_unresolved();

}  // namespace snag::schedule
