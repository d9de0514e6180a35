// The thread-local variables of a context that gets its next thread: each starts with its initial
// value again.
#pragma once

namespace snag::rt {

// Finds the modules that are loaded by now: once, in the process that outlives the runs.
void init_thread_locals();
// The program is loading or unloading libraries.
void thread_local_modules_change();
// For all modules but libc, whose variables must live on. Call it before the new thread runs.
void reset_thread_locals(unsigned long thread_pointer);

}  // namespace snag::rt
