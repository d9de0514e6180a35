#pragma once
#include <cstdint>
namespace snag::rt {
inline bool is_benign(std::uint64_t) { return false; }
}  // namespace snag::rt
