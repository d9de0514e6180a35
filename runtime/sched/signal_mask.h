// The signal mask of the kernel thread. Each thread of the program has its own in
// Thread::signal_mask, which is in force while that thread runs.
#pragma once

#include <cstdint>

namespace snag::rt {

struct Thread;

std::uint64_t current_signal_mask();
void apply_signal_mask(const Thread* thread);

}  // namespace snag::rt
