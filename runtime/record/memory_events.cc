#include "runtime/record/memory_events.h"

#include "runtime/cover/cover.h"
#include "runtime/detect/races/benign_ranges.h"
#include "runtime/detect/races/races.h"
#include "runtime/record/full_trace_writer.h"
#include "runtime/record/wanted_pair.h"
#include "runtime/record/watch_log.h"

namespace snag::rt {

constinit bool memory_events = false;

void memory_allocated(const void* begin, std::uint64_t size) {
  if (cover_on) cover_forget(begin, size);
  if (!controlled) return;
  if (goal_on) goal_forget(begin, size);
  race_forget(begin, size);
  if (watch_on) watch_fresh(begin, size);
  trace_access(TraceKind::kAllocate, begin, size, 0);
}

void guarded_memory_allocated(const void* begin, std::uint64_t size) {
  if (cover_on) cover_forget(begin, size);
  if (goal_on) goal_forget(begin, size);
  if (watch_on) watch_fresh(begin, size);
  trace_access(TraceKind::kAllocate, begin, size, 0);
}

void guarded_memory_freed(const void* begin, std::uint64_t size, std::uint64_t pc, bool by_owner) {
  race_free_and_forget(begin, size, pc, by_owner);
  if (!by_owner && watch_on) watch_free(begin, size, pc);
  if (any_benign) benign_forget(begin, size);
  trace_access(TraceKind::kFree, begin, size, pc);
}

void memory_freed(const void* begin, std::uint64_t size, std::uint64_t pc, bool by_owner) {
  if (!by_owner) race_free(begin, size, pc);
  if (!by_owner && watch_on) watch_free(begin, size, pc);
  if (any_benign) benign_forget(begin, size);
  trace_access(TraceKind::kFree, begin, size, pc);
}

void memory_left(std::uint64_t begin, std::uint64_t size) {
  if (size == 0) return;
  const auto* memory = reinterpret_cast<const void*>(begin);
  if (cover_on) cover_forget(memory, size);
  if (goal_on) goal_forget(memory, size);
}

}  // namespace snag::rt
