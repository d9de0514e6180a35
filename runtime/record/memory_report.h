// What reports say about an access and about the memory that it touched.
#pragma once

#include <cstdint>

#include "protocol/shared_memory.h"
#include "runtime/sched/scheduler.h"

namespace snag::rt {

// Return addresses, innermost first: at most kMaxStackDepth. `pc` is the innermost, 0: not known.
std::uint16_t stack_of(const Thread* thread, std::uint64_t pc, std::uint64_t* out);

// The locks that a thread holds, newest first: for each its address, then where it was taken.
// Returns how many, at most kMaxReportedLocks.
std::uint32_t locks_of(const Thread* thread, std::uint64_t* out);
void fill_locks(AccessReport& report, const std::uint64_t* pairs, std::uint64_t count);

// An access of the current thread that a detector reports.
struct ReportedAccess {
  std::uint64_t address, size, pc;
  bool write, atomic;
  bool is_free;  // freeing the block: a write to all of it
};
void describe_access(AccessReport& report, const ReportedAccess& access);

void describe_memory(MemoryReport& report, const void* address);
// Fills in the report if the address is in a block that the heap checks know. They set it.
extern bool (*describe_heap_block)(const void* address, MemoryReport* report);
// Corrects the report if an allocator that the user has named has handed out the address, from
// memory that it has of another allocator.
extern void (*describe_named_block)(const void* address, MemoryReport* report);

}  // namespace snag::rt
