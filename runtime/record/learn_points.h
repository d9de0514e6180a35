// Learns which plain accesses can conflict with another thread's.
//
// Two accesses to the same word by different threads, one of them a write, make their instructions
// schedule points in later runs, unless they can never be close to each other: because one thread
// had not been created yet or had been joined, or because both hold a common lock (a switch before
// the lock is as good). This deliberately includes more than the data races of one run: accesses
// that were ordered by chance may be unordered in the next schedule.
//
// The set in force never changes during a run, or a replay could not tell where the schedule points
// were.
#pragma once

#include <cstdint>

#include "protocol/shared_memory.h"

namespace snag::rt {

// Whether this run learns. Once many runs have found nothing new, only some runs learn.
[[gnu::visibility("hidden")]] extern bool learning;
void choose_whether_to_learn(std::uint64_t run);

// Prepares the tables. Call it in the process that outlives the runs.
void init_learning(Shared* shared);
void learn_access(const void* address, std::uint64_t size, bool write, std::uint64_t pc);
// The memory is freed at `pc`: counts as a write to it; then forgets its accesses.
void learn_freed(const void* address, std::uint64_t size, std::uint64_t pc);
// The memory is reused: forgets its accesses.
void learn_forget(const void* address, std::uint64_t size);

// Puts the points that the last run learned into force for the next ones; true if there were any.
bool adopt_learned_points(Shared* shared);

}  // namespace snag::rt
