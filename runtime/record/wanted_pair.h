// A location pair that a run is to cover (Config::wanted): notices when it has.
//
// The pair is covered when a thread accesses memory at one of the first places, and the next access
// to a byte of it is by another thread at one of the second places.
#pragma once

#include <cstdint>

#include "protocol/shared_memory.h"

namespace snag::rt {

// Whether there is one.
extern bool goal_on;

// Once, in the process that outlives the runs.
void init_goal(const Shared* shared);
void begin_goal();

// An access of the current thread.
void goal_access(const volatile void* address, std::uint64_t size, std::uint64_t pc);
// The memory is used anew.
void goal_forget(const void* address, std::uint64_t size);

// The places of the wanted pair, as they lie in this process.
const WantedPair& wanted_pair();

}  // namespace snag::rt
