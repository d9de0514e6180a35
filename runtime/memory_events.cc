#include "runtime/memory_events.h"

#include "runtime/benign.h"
#include "runtime/cover.h"
#include "runtime/races.h"

namespace snag::rt {

constinit bool memory_events = false;

void memory_allocated(const void* begin, std::uint64_t size) {
  if (cover_on) cover_forget(begin, size);
  if (controlled) race_forget(begin, size);
}

void memory_freed(const void* begin, std::uint64_t size, std::uint64_t pc, bool by_owner) {
  if (!by_owner) race_free(begin, size, pc);
  benign_forget(begin, size);
}

}  // namespace snag::rt
