#include "runtime/memory_events.h"

namespace snag::rt {

bool memory_events = false;

void memory_allocated(const void*, std::uint64_t) {}
void memory_freed(const void*, std::uint64_t, std::uint64_t) {}

}  // namespace snag::rt
