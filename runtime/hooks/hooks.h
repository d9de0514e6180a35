// What the compiler's hooks share with the interposers of library functions that touch memory.
#pragma once

#include <cstdint>

namespace snag::rt {

// The program accesses a block of memory through a library function.
void access_range(const void* address, std::uint64_t size, bool write, std::uint64_t pc);

}  // namespace snag::rt
