// What becomes of heap memory, for whoever keeps notes about it (see runtime/interpose/heap.cc).
#pragma once

#include <cstdint>

namespace snag::rt {

// Called in the controlled world, between two steps, if Config::heap is set or `memory_events` is.
// In a program that runs freely only memory_allocated is, by any thread, and if it is measured.
extern bool memory_events;

// The program got this memory; nothing of what was known about it holds any more.
void memory_allocated(const void* begin, std::uint64_t size);
// The same for memory that the heap's checks have had under lock and key since it was freed.
void guarded_memory_allocated(const void* begin, std::uint64_t size);
// The program gives this memory back, at `pc`. It has not been reused yet.
// `by_owner`: whoever frees it has it alone, though nobody could see why.
void memory_freed(const void* begin, std::uint64_t size, std::uint64_t pc, bool by_owner);
void guarded_memory_freed(const void* begin, std::uint64_t size, std::uint64_t pc, bool by_owner);
// Under control: functions have ended, or been left by a jump, and their variables with them.
void memory_left(std::uint64_t begin, std::uint64_t size);

}  // namespace snag::rt
