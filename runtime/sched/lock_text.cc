#include "runtime/sched/lock_text.h"

#include <stdio.h>

namespace snag::rt {
namespace {

PlaceText place(const char* before, const std::uint64_t* pcs, std::uint32_t count) {
  PlaceText result;
  std::size_t size = static_cast<std::size_t>(
      snprintf(result.text, sizeof result.text, "%s@{%lx", before, pcs[0]));
  for (std::uint32_t i = 1; i < count && pcs[i] != 0; ++i) {
    size += static_cast<std::size_t>(
        snprintf(result.text + size, sizeof result.text - size, ",%lx", pcs[i]));
  }
  snprintf(result.text + size, sizeof result.text - size, "}");
  return result;
}

}  // namespace

PlaceText place_of(const char* before, std::uint64_t pc) {
  return pc == 0 ? PlaceText{} : place(before, &pc, 1);
}

const char* name_of(LockKind kind) {
  switch (kind) {
    case LockKind::kMutex:
      return "a mutex";
    case LockKind::kRwLock:
      return "a read-write lock";
    case LockKind::kSpin:
      return "a spin lock";
    case LockKind::kOpenMp:
      return "an OpenMP lock";
    case LockKind::kNone:
      break;
  }
  return "something";
}

PlaceText taken_at(const SyncObject* object, Tid holder) {
  const Thread* t = &sched.threads[holder];
  for (std::uint32_t i = t->held_count; i > 0; --i) {
    if (t->tables->held[i - 1] != object || !notes_places()) continue;
    return place(", taken at ", places_of(t)[i - 1].pcs, kStepFrames);
  }
  return place_of(", taken at ", object->owner == holder ? object->owner_pc : 0);
}

}  // namespace snag::rt
