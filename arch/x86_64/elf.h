#pragma once

#include <elf.h>

#include <cstdint>

namespace snag {

inline constexpr std::uint16_t kElfMachine = EM_X86_64;
inline constexpr char kMachineName[] = "x86-64";

// Whether the dynamic linker stores the address of a function for such a relocation.
inline bool is_function_slot(std::uint64_t relocation_type) {
  return relocation_type == R_X86_64_JUMP_SLOT || relocation_type == R_X86_64_GLOB_DAT;
}

inline constexpr std::uint64_t kPltEntrySize = 16;

}  // namespace snag
