// Where the frames of a thread's active functions lie on its stack. When a function ends, so do its
// variables: observers that remember accesses to memory forget them then. Only in controlled runs,
// for observers of every access.
#pragma once

#include <cstdint>

#include "runtime/sched/observer.h"

namespace snag::rt {

// A function of the current thread begins, with its stack pointer, and the address that it returns
// to. Before it is counted in Thread::depth.
void frame_begins(std::uint64_t stack_pointer, std::uint64_t caller);
// The innermost one ends, and is still counted: its memory, and all below.
StackMemory frame_ends(std::uint64_t stack_pointer);
// A jump leaves all functions but the outermost `depth`: their memory.
StackMemory frames_left(std::uint64_t stack_pointer, std::uint64_t depth);

}  // namespace snag::rt
