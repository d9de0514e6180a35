// What every hook for an access does. Only for the hooks: others use runtime/hooks/hooks.h.
#pragma once

#include "runtime/base/modules.h"
#include "runtime/cover/cover.h"
#include "runtime/cover/group_check.h"
#include "runtime/detect/heap/heap.h"
#include "runtime/detect/races/races.h"
#include "runtime/hooks/hooks.h"
#include "runtime/record/learn_points.h"
#include "runtime/sched/scheduler.h"

#define SNAG_HOOK extern "C" __attribute__((visibility("default"), aligned(64)))
#define SNAG_PC reinterpret_cast<std::uint64_t>(__builtin_return_address(0))

namespace snag::rt {

// The slow path of an access.
__attribute__((noinline)) void full_access(const void* address, std::uint64_t size, bool write,
                                           std::uint64_t pc);
// The checks that the fast path could not decide.
__attribute__((noinline)) void doubtful_access(const void* address, std::uint64_t size, bool write,
                                               std::uint64_t pc);

// A separate function, so that a hook that only measures needs no frame.
template <std::uint64_t size, bool write>
__attribute__((noinline)) void controlled_access(const void* address, std::uint64_t range,
                                                 std::uint64_t pc) {
  const std::uint64_t bytes = size == 0 ? range : size;
  bool full = ++sched.current->quiet_accesses > quiet_limit;
  if (points != Points::kSync)
    full = full || learning || points == Points::kAll || (*pc_flags(pc) & kPointPc);
  if (__builtin_expect(full, 0)) return full_access(address, bytes, write, pc);
  const auto a = reinterpret_cast<std::uint64_t>(address);
  if constexpr (size == 1 || size == 2 || size == 4 || size == 8) {
    RaceCell** const leaves = race_leaves;
    if (!leaves) {  // race detection is off
      if (__builtin_expect(heap_may_mind(address, size), 0))
        doubtful_access(address, size, write, pc);
      return;
    }
    RaceCell* cell = race_cell<size>(leaves, a);
    if (cell && race_is_known<size, write>(cell, a)) return;  // nothing new for the heap checks
    if (__builtin_expect(!cell || heap_may_mind(address, size), 0))
      return doubtful_access(address, size, write, pc);
    // (This thread creates all later threads.)
    if (sched.thread_count != 1) return race_new<size, write>(cell, a, pc);
  } else {
    if (__builtin_expect(!heap_range_is_fine(address, bytes), 0))
      return doubtful_access(address, bytes, write, pc);
    if (race_detection) race_range(a, bytes, write, pc);
  }
}

// Inline, with all calls in tail position: the usual access saves no registers.
template <std::uint64_t size, bool write>
[[gnu::always_inline]] inline void plain_access(const void* address, std::uint64_t pc) {
  if (__builtin_expect(hook_mode == HookMode::kCovering, 1))
    return cover_access<size>(address, write ? kWrites : kReads, pc);
  if (hook_mode == HookMode::kNative) return;
  controlled_access<size, write>(address, size, pc);
}

// access_range, inline.
[[gnu::always_inline]] inline void range_access(const void* address, std::uint64_t size, bool write,
                                                std::uint64_t pc) {
  if (size == 0) return;
  if (hook_mode == HookMode::kCovering)
    return cover_range(address, size, write ? kWrites : kReads, pc);
  if (hook_mode == HookMode::kNative) return;
  if (write) return controlled_access<0, true>(address, size, pc);
  controlled_access<0, false>(address, size, pc);
}

// One by one, which teaches the runtime their places.
[[gnu::always_inline]] inline void may_know(GroupMember* first, std::uint64_t accesses,
                                            std::uint64_t bytes, std::uint64_t pc) {
  if (hook_mode == HookMode::kCovering) know_members(first, accesses * ((bytes + 7) / 8), pc);
}

}  // namespace snag::rt
