// Steps that a run may take after its last one, to find out whether its state repeats.
#pragma once

#include <cstdint>

namespace snag {

inline constexpr std::uint64_t kLoopSteps = 8'192;

}  // namespace snag
