// Implements heap_block.h: reports of heap errors. The access, and the block with the threads that
// allocated and freed it.
#include <stdio.h>

#include "runtime/detect/heap/heap.h"
#include "runtime/detect/heap/heap_block.h"
#include "runtime/record/memory_report.h"
#include "runtime/sched/failure.h"

namespace snag::rt {
namespace {

constexpr std::uint64_t kAnywhere = 1ull << 40;

// A red zone, what libc keeps between two blocks, and another red zone.
constexpr std::uint64_t kZonesReach = 1024;

HeapBlock* block_below(std::uint64_t address) {
  std::uint64_t a = address & ~7ull;
  const std::uint64_t limit = a - kZonesReach;
  while (a > limit && (heap_state(a) == kFrontZone || heap_state(a) == 0)) a -= 8;
  while (a > limit && heap_state(a) == kBackZone) a -= 8;
  if (heap_state(a) == kFrontZone) return block_beginning_at(a + 8);  // an empty block
  return a > limit ? block_around(a, kAnywhere) : nullptr;
}

HeapBlock* block_above(std::uint64_t address) {
  std::uint64_t a = address & ~7ull;
  const std::uint64_t limit = a + kZonesReach;
  while (a < limit && (heap_state(a) == kBackZone || heap_state(a) < 8)) a += 8;
  if (heap_state(a) != kFrontZone) return nullptr;
  while (heap_state(a) == kFrontZone) a += 8;
  return block_beginning_at(a);
}

std::uint16_t copy_stack(std::uint32_t id, std::uint64_t* to) {
  std::uint32_t count = 0;
  const std::uint64_t* frames = heap_stacks.get(id, &count);
  static_assert(StackDepot::kFrames <= kMaxStackDepth);
  for (std::uint32_t i = 0; i < count; ++i) to[i] = frames[i];
  return static_cast<std::uint16_t>(count);
}

void describe_block(const HeapBlock* block, MemoryReport* out) {
  *out = {};
  out->free_thread = kNoTid;
  if (!block) return;
  out->kind = MemoryKind::kHeap;
  out->is_freed = block->freed != 0;
  out->free_step = block->freed != 0 ? block->freed - 1 : 0;
  out->thread = block->alloc_thread;
  out->free_thread = block->free_thread;
  out->begin = block->begin();
  out->size = block->size;
  out->alloc_depth = copy_stack(block->alloc_stack, out->alloc_stack);
  if (block->freed != 0) out->free_depth = copy_stack(block->free_stack, out->free_stack);
}

HeapReport* new_report(HeapError error, const HeapBlock* block) {
  HeapReport* report = &sched.shared->run.heap;
  *report = {};
  report->error = error;
  describe_block(block, &report->memory);
  return report;
}

const char* plural(std::uint64_t count) { return count == 1 ? "" : "s"; }

// " 16 bytes into", " right behind", " 8 bytes in front of"
void where_text(char (&text)[64], std::int64_t distance, bool inside) {
  const std::uint64_t bytes = static_cast<std::uint64_t>(distance < 0 ? -distance : distance);
  if (inside && bytes == 0) {
    snprintf(text, sizeof text, "at the begin of");
  } else if (!inside && distance == 0) {
    snprintf(text, sizeof text, "right behind");
  } else {
    snprintf(text, sizeof text, "%lu byte%s %s", bytes, plural(bytes),
             inside         ? "into"
             : distance < 0 ? "in front of"
                            : "behind");
  }
}

[[noreturn]] void fail_heap(const HeapReport* report, const char* message, std::uint64_t pc) {
  fail(FailureKind::kHeap, static_cast<int>(report->error), message, pc);
}

// The free of a block that begins at `address`, or should.
ReportedAccess freeing(std::uint64_t address, std::uint64_t pc) {
  return {address, 0, pc, true, false, true};
}

}  // namespace

HeapBlock* block_near(std::uint64_t address) {
  const std::uint8_t state = heap_state(address);
  if (state < 8 || state == kFreedMemory) return block_around(address & ~7ull, kAnywhere);
  HeapBlock* below = block_below(address);
  HeapBlock* above = block_above(address);
  if (!below || !above) return below ? below : above;
  return address - below->end() <= above->begin() - address ? below : above;
}

void fail_access(std::uint64_t bad_byte, const ReportedAccess& access, SyncKind sync) {
  const HeapBlock* block = block_near(bad_byte);
  const bool use_after_free = heap_state(bad_byte) == kFreedMemory;
  HeapReport* report =
      new_report(use_after_free ? HeapError::kUseAfterFree : HeapError::kOutOfBounds, block);
  describe_access(report->access, access);
  report->access.sync = sync;
  char where[64] = "near";
  if (block) {
    const bool behind = !use_after_free && bad_byte >= block->end();
    report->distance = static_cast<std::int64_t>(behind ? bad_byte - block->end()
                                                        : access.address - block->begin());
    where_text(where, report->distance, use_after_free);
  }
  char text[256];
  int length =
      snprintf(text, sizeof text, "%s: T%u %s %lu byte%s %s a block",
               use_after_free ? "use after free" : "access outside a block", sched.current->tid,
               access.write ? "writes" : "reads", access.size, plural(access.size), where);
  if (block) {
    const bool freed = block->freed != 0;
    snprintf(text + length, sizeof text - static_cast<std::size_t>(length),
             " of %lu byte%s that T%u %s", block->size, plural(block->size),
             freed ? block->free_thread : block->alloc_thread, freed ? "freed" : "allocated");
  }
  fail_heap(report, text, access.pc);
}

void fail_double_free(const HeapBlock* block, std::uint64_t pc) {
  HeapReport* report = new_report(HeapError::kDoubleFree, block);
  describe_access(report->access, freeing(block->begin(), pc));
  char text[160];
  snprintf(text, sizeof text, "double free: T%u frees a block of %lu byte%s that T%u freed before",
           sched.current->tid, block->size, plural(block->size), block->free_thread);
  fail_heap(report, text, pc);
}

void fail_bad_free(const HeapBlock* near, std::uint64_t address, std::uint64_t pc) {
  HeapReport* report = new_report(HeapError::kBadFree, near);
  describe_access(report->access, freeing(address, pc));
  const bool behind = address >= near->end();
  report->distance = static_cast<std::int64_t>(address - (behind ? near->end() : near->begin()));
  char where[64], text[200];
  where_text(where, report->distance, !behind && report->distance >= 0);
  snprintf(text, sizeof text, "bad free: T%u frees an address %s a block of %lu byte%s",
           sched.current->tid, where, near->size, plural(near->size));
  fail_heap(report, text, pc);
}

void fail_free_of_no_block(const MemoryReport& memory, std::uint64_t address, std::uint64_t pc) {
  HeapReport* report = new_report(HeapError::kBadFree, nullptr);
  report->memory = memory;
  describe_access(report->access, freeing(address, pc));
  const char* what = memory.kind == MemoryKind::kGlobal  ? "a global variable"
                     : memory.kind == MemoryKind::kStack ? "a variable on a stack"
                                                         : "a thread-local variable";
  char text[200];
  snprintf(text, sizeof text, "bad free: T%u frees %s, which is not a heap block",
           sched.current->tid, what);
  fail_heap(report, text, pc);
}

std::uint32_t heap_mark(const void* address, std::uint32_t mark) {
  // Such blocks may be huge, and searching for their beginning takes time.
  constexpr std::uint64_t kMarkReach = 1 << 20;
  if (!heap_checks) return 0;
  HeapBlock* block = block_around(reinterpret_cast<std::uint64_t>(address), kMarkReach);
  if (!block || block->freed != 0) return 0;
  if (block->free_stack == 0) block->free_stack = mark;
  return block->free_stack;
}

bool heap_block(const void* address, MemoryReport* out) {
  if (!heap_checks) return false;
  const HeapBlock* block = block_around(reinterpret_cast<std::uint64_t>(address), kAnywhere);
  if (block) describe_block(block, out);
  return block != nullptr;
}

}  // namespace snag::rt
