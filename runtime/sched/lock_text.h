// Words for messages about locks.
#pragma once

#include <cstdint>

#include "runtime/sched/scheduler_state.h"

namespace snag::rt {

// "a mutex", "a read-write lock", "a spin lock"; "something" if it is not a lock.
const char* name_of(LockKind kind);
// `before` and a place in the code, written as @{pc,caller,...}: the tool, which has the debug
// information, replaces it by the source position. Empty if the place is not known.
struct PlaceText {
  char text[160];
};
PlaceText place_of(const char* before, std::uint64_t pc);
// ", taken at <place>".
PlaceText taken_at(const SyncObject* object, Tid holder);

}  // namespace snag::rt
