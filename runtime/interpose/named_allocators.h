// Allocators that the user names (--allocator): functions of the program or its libraries that hand
// out memory and take it back.
//
// A controlled process puts a jump at the beginning of each of them, to a function that calls it
// and reports the memory.
#pragma once

#include <cstddef>

namespace snag::rt {

// Diverts the functions that `names` lists (see protocol/settings.h), in all modules that are
// loaded. False if one of them is nowhere, or cannot be diverted: then `why` says so.
bool divert_named_allocators(const char* names, char* why, std::size_t size);

}  // namespace snag::rt
