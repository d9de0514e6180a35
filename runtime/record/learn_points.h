// Learns which plain accesses can meet another thread's.
//
// Two accesses to the same word by different threads, one of them a write, make their instructions
// schedule points in later runs, unless they can never be close to each other: because one thread
// had not been made yet, or had been joined, or because both hold a common lock (a switch before
// the lock is as good). This is deliberately more than the data races of one run: what is ordered
// here by chance may not be in the next schedule.
//
// The set in force never changes during a run, or a replay could not tell where the schedule points
// were.
#pragma once

#include <cstdint>

#include "protocol/shared_memory.h"

namespace snag::rt {

// Whether this run learns. Once nothing new has come for a while, only some runs do.
[[gnu::visibility("hidden")]] extern bool learning;
void choose_whether_to_learn(std::uint64_t run);

// Prepares the tables; to be called in the process that outlives the runs.
void init_shadow(Shared* shared);
void shadow_access(const void* address, std::uint64_t size, bool write, std::uint64_t pc);
// The memory is freed at `pc`: meets what others did to it, and then nothing is known of it.
void shadow_freed(const void* address, std::uint64_t size, std::uint64_t pc);
// The memory is used anew: what was known of it is over.
void shadow_forget(const void* address, std::uint64_t size);

// Puts what the last run learned into force for the next ones; true if there was anything.
bool adopt_learned_points(Shared* shared);

}  // namespace snag::rt
