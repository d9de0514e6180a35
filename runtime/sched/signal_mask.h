// The signal mask of the kernel thread. Each thread of the program has its own in
// Thread::signal_mask, which is in force while that thread runs.
#pragma once

#include <cstdint>

namespace snag::rt {

struct Thread;

std::uint64_t current_signal_mask();
void apply_signal_mask(const Thread* thread);
// No thread runs: lets in the signals that the current thread may block, but that a waiting thread
// does not block.
void apply_mask_of_waiting_threads();

}  // namespace snag::rt
