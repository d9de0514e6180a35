// The shadow memory of the race detector: a cell for every 4 bytes of the program's memory.
#pragma once

#include <cstdint>

#include "arch/arch.h"

namespace snag::rt {

struct RaceCell {
  std::uint32_t write;     // epoch << 5 | bytes << 1 | atomic; 0: none
  std::uint32_t write_at;  // where in the code: see place_of
  std::uint32_t read;
  std::uint32_t read_at;
};

// Two levels: 4 MiB of the program's memory a leaf, made when first touched.
inline constexpr std::uint64_t kRaceLeafShift = 22;
inline constexpr std::uint64_t kRaceLeafCells = 1ull << (kRaceLeafShift - 2);
inline constexpr std::uint64_t kRaceLeaves = 1ull << (kAddressBits - kRaceLeafShift);
// Null if race detection is off.
[[gnu::visibility("hidden")]] extern RaceCell** race_leaves;

inline constexpr std::uint32_t kAllBytes = 0xf << 1;

}  // namespace snag::rt
