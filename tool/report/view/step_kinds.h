// Properties of the steps of a run, for choosing and describing them.
#pragma once

#include <cstdint>

#include "tool/session/failed_run.h"

namespace snag::report {

bool takes_lock(OpKind kind);
bool releases_lock(OpKind kind);

// What a step acts on: for memory, the bytes that it accesses, not the whole word.
std::uint64_t object_of(const session::FailedRun& run, std::uint64_t step);
// The same for what a thread is about to do, or waits in.
std::uint64_t pending_object(const ThreadReport& report);

// Freeing a block is one step for each of its words: the first of these, and the one behind the
// last. Of any other step: itself, and the next.
std::uint64_t begin_of_free(const session::FailedRun& run, std::uint64_t step);
std::uint64_t end_of_free(const session::FailedRun& run, std::uint64_t step);

// Whether the access, which need not be a step, is this one.
bool is_step_of(const AccessReport& access, const session::FailedRun& run, std::uint64_t step);

// The freeing of the block, as an access; of no step if the block was not freed.
AccessReport freeing_of(const HeapReport& heap);

}  // namespace snag::report
