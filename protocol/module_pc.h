// A program counter that means the same in every process of a program: the index of its module in
// Shared::modules, and the offset from the module's load bias.
#pragma once

#include <cstdint>

namespace snag {

using ModulePc = std::uint64_t;

// User-space addresses have at most 48 bits, so an offset fits below the module index.
inline constexpr int kModuleShift = 48;
inline constexpr std::uint64_t kModuleOffsetMask = (std::uint64_t{1} << kModuleShift) - 1;

constexpr ModulePc make_module_pc(std::uint32_t module, std::uint64_t offset) {
  return (std::uint64_t{module} << kModuleShift) | offset;
}

constexpr std::uint32_t module_of(ModulePc pc) {
  return static_cast<std::uint32_t>(pc >> kModuleShift);
}

constexpr std::uint64_t offset_of(ModulePc pc) { return pc & kModuleOffsetMask; }

}  // namespace snag
