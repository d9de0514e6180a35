// The program at a schedule point, as strategies see it: in the runtime, and in the simulations of
// the tool.
#pragma once

#include <cstdint>
#include <span>

#include "protocol/ops.h"

namespace snag {

// What a strategy sees of the program at a schedule point.
struct World {
  std::span<const Tid> enabled;  // never empty; in an arbitrary order that the schedule determines
  Tid current;                   // who took the last step (it may be blocked or gone now)
  bool current_enabled;          // whether `current` is in `enabled`
  std::uint64_t step;            // steps taken so far
  const Op* pending;             // pending[t]: what t does when it is picked
  const std::uint8_t* timeout;   // timeout[t]: picking t means that its wait times out
  std::uint32_t thread_count;    // threads made so far in this run: their numbers are below this
  // The callers of what a thread is about to do, innermost last. Null: not known.
  std::span<const std::uint64_t> (*callers)(Tid thread) = nullptr;
  // Bytes of the block of the heap that begins there; 0: there is none. Null: not known.
  std::uint64_t (*block_size)(std::uint64_t begin) = nullptr;
};

}  // namespace snag
