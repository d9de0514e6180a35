// Memory that the program has marked by <snag/benign.h>: races there are not reported.
#pragma once

#include <cstddef>
#include <cstdint>

namespace snag::rt {

// Forgets all of it: each run marks its own.
void benign_begin_run();

// Whether anything is marked: usually nothing is.
[[gnu::visibility("hidden")]] extern bool any_benign;

void mark_benign(const void* address, std::size_t size);
// The memory is reused: forgets its marks.
void benign_forget(const void* address, std::size_t size);

bool is_benign(std::uint64_t address);

}  // namespace snag::rt
