// The header of a tracked block; between runtime/detect/heap/heap.cc and
// runtime/detect/heap/heap_report.cc.
#pragma once

#include <cstdint>

#include "protocol/ops.h"
#include "runtime/base/stack_depot.h"
#include "runtime/record/memory_report.h"

namespace snag::rt {

// Lies in front of the block.
struct HeapBlock {
  std::uint64_t size;         // as the program asked for
  std::uint64_t before : 48;  // bytes from the beginning of libc's block to the program's
  std::uint64_t chunk : 16;   // of a chunk of our own instead: its size, by 16; else 0
  std::uint32_t alloc_stack;  // of `heap_stacks`
  std::uint32_t free_stack;   // the same; before it is freed, its mark (heap_mark)
  Tid alloc_thread, free_thread;
  std::uint32_t freed;  // 0, or the steps taken so far when it was, plus one

  std::uint64_t begin() const { return reinterpret_cast<std::uint64_t>(this + 1); }
  std::uint64_t end() const { return begin() + size; }
};
static_assert(sizeof(HeapBlock) == 32);

extern StackDepot heap_stacks;

// The tracked block that begins here, freed or not; null if none does.
HeapBlock* block_beginning_at(std::uint64_t address);
// The tracked block that an address is in, at most `reach` bytes behind its beginning; null if
// there is none. Red zones do not count.
HeapBlock* block_around(std::uint64_t address, std::uint64_t reach);
// The block that was probably meant by an address that may not be accessed; null if none is known.
HeapBlock* block_near(std::uint64_t address);

// ---- How a run ends. ----

[[noreturn]] void fail_access(std::uint64_t bad_byte, const ReportedAccess& access,
                              SyncKind sync = SyncKind::kNone);
[[noreturn]] void fail_double_free(const HeapBlock* block, std::uint64_t pc);
[[noreturn]] void fail_free_of_no_block(const MemoryReport& memory, std::uint64_t address,
                                        std::uint64_t pc);
[[noreturn]] void fail_bad_free(const HeapBlock* near, std::uint64_t address, std::uint64_t pc);

}  // namespace snag::rt
