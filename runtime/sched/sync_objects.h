// The table of synchronisation objects, by the address of the program's own object.
#pragma once

#include <cstdint>

#include "runtime/sched/scheduler_state.h"

namespace snag::rt {

// The object at that address; a new one if this run has not used it yet.
SyncObject* sync_object(const void* address);
// Whether there ever was an object at that address.
bool is_known(std::uint64_t address);

}  // namespace snag::rt
