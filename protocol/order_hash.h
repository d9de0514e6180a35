// The hash of a partial order: equal for runs that differ only in the order of independent steps.
//
// The hash of a step covers what the step is, the step of its thread before it, and the steps on
// its object before it. The hash of a run is the sum of the hashes of its steps; a sum, because the
// order in which independent steps were executed does not matter.
#pragma once

#include <cstdint>

#include "protocol/ops.h"

namespace snag {

// The steps on one object so far.
struct ObjectOrder {
  std::uint64_t changed = 0;  // hash of the last change
  std::uint64_t read = 0;     // sum of the hashes of the reads since; a sum, because reads commute
};

// One multiplication, of which both halves are used: fast, and good enough for inputs that are
// themselves results of it.
constexpr std::uint64_t fold(std::uint64_t x) {
  const auto wide = static_cast<unsigned __int128>(x ^ 0x2d358dccaa6c78a5) * 0x8bb84b93962eacc9;
  return static_cast<std::uint64_t>(wide) ^ static_cast<std::uint64_t>(wide >> 64);
}

// The step itself, after the last step of its thread; to be folded.
constexpr std::uint64_t order_of_step(std::uint64_t last_of_thread, std::uint64_t pc, OpKind kind) {
  return last_of_thread + pc * 7 + static_cast<std::uint64_t>(kind);
}

// The hash of a step on an object that others may touch (op_access is not '-').
constexpr std::uint64_t order_on_object(std::uint64_t step, OpKind kind, ObjectOrder& object) {
  if (op_access(kind) == 'w') {
    const std::uint64_t hash = fold(step + object.changed * 5 + object.read * 11);
    object = {hash, 0};
    return hash;
  }
  const std::uint64_t hash = fold(step + object.changed * 5);
  object.read += hash;
  return hash;
}

}  // namespace snag
