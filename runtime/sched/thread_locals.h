// The thread-local variables of a context that gets its next thread: each starts with its initial
// value again.
#pragma once

namespace snag::rt {

// For all modules but libc, whose variables must live on. Call it before the new thread runs.
void reset_thread_locals(unsigned long thread_pointer);

}  // namespace snag::rt
