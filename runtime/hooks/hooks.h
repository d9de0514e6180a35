// What the compiler's hooks share with the interposers of library functions that touch memory.
#pragma once

#include <cstdint>

#include "protocol/shared_memory.h"

namespace snag::rt {

// Which plain accesses are schedule points in this process.
[[gnu::visibility("hidden")]] extern Points points;

// The program accesses a block of memory through a library function.
void access_range(const void* address, std::uint64_t size, bool write, std::uint64_t pc);

}  // namespace snag::rt
