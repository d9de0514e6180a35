// Functions that are active at the same time: Metric::kMethodPairs and kConcurrentMethods.
//
// Each thread has a stack of its active functions, which the other threads read. In a program that
// runs freely they read it while it changes: a function that has just begun or ended may be
// mistaken for one that has not.
#pragma once

#include <cstdint>

#include "runtime/cover/place_numbers.h"
#include "runtime/cover/shadow_cells.h"

namespace snag::rt {

inline constexpr std::uint32_t kCoverFrames = 1024;  // deeper ones are ignored

struct CoverStack {
  std::uint32_t depth;
  std::uint32_t is_live;
  std::uint64_t calls[kCoverFrames];      // where they were called
  std::uint32_t methods[kCoverFrames];    // their locations
  std::uint64_t looked_at[kCoverFrames];  // functions begun until then

  CoverCallers callers() const { return {calls, depth < kCoverFrames ? depth : kCoverFrames}; }
};

// Whether stacks are recorded: for these metrics, for locks, or for contexts.
extern bool cover_stacks_on;
void init_cover_methods();

// The stack of the thread with that number, made when first asked for.
CoverStack* cover_stack(std::uint32_t thread);

// A function begins, at `pc`, called at `caller`.
void cover_begin_method(CoverStack* stack, std::uint64_t pc, std::uint64_t caller);
inline void cover_end_method(CoverStack* stack) {
  if (stack->depth > 0) __atomic_store_n(&stack->depth, stack->depth - 1, __ATOMIC_RELAXED);
}
// The innermost function does something that counts as an action.
void cover_act(CoverStack* stack);
// In a child process, where only this thread is left.
void cover_keep_stack(const CoverStack* stack);

}  // namespace snag::rt
