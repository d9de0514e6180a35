// The calls that are active in a thread, as far as the hooks and the interposers know them.
#pragma once

#include <cstdint>
#include <span>

#include "runtime/sched/scheduler_state.h"

namespace snag::rt {

// Return addresses, outermost first.
std::span<const std::uint64_t> callers_of(Tid thread);
// What to show people for an operation at `pc`: the program's own place, if a guess is known.
std::uint64_t display_pc(const Thread* thread, std::uint64_t pc);
// The innermost callers of what the thread does, kStepFrames of them.
void copy_frames(const Thread* thread, std::uint64_t* to);

}  // namespace snag::rt
