#pragma once

#include <cstddef>
#include <cstdint>

namespace snag {

inline constexpr std::size_t kCacheLine = 64;

// In a loop that waits for another thread: leaves the core's resources to its other hyperthread.
inline void relax_processor() { __builtin_ia32_pause(); }

// The result of a comparison of vectors: all bits of each element are equal.
using VectorMask = std::int32_t __attribute__((vector_size(16)));
inline bool all_true(VectorMask mask) {
  using Floats = float __attribute__((vector_size(16)));
  return __builtin_ia32_movmskps(reinterpret_cast<Floats>(mask)) == 0xf;
}

}  // namespace snag
