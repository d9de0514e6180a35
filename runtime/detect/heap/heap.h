// Heap errors: use after free, double free, access outside a block, free of a pointer that is not a
// block.
//
// In a controlled run every block has red zones around it, with a header in the front one, and a
// freed block stays in quarantine for a while (runtime/detect/heap/quarantine.h). The hooks check
// the state of every byte accessed (runtime/detect/heap/heap_state.h). Small blocks lie in chunks
// of our own (runtime/base/chunk_pool.h); all others come from libc's allocator. Memory that was
// allocated before the run began, or by a child process, is a plain block of libc, which is never
// reported.
//
// Nothing here is a schedule point, and two threads never execute it at the same time.
#pragma once

#include <pthread.h>
#include <semaphore.h>

#include <cstddef>
#include <cstdint>

#include "protocol/shared_memory.h"
#include "runtime/detect/heap/heap_state.h"
#include "runtime/sched/observer.h"

namespace snag::rt {

// Config::heap, once the first run of this process has begun; stays until the process ends.
[[gnu::visibility("hidden")]] extern bool heap_checks;

// ---- Blocks, for the interposers. `alignment` is a power of two. ----

// Null, with errno set, if there is no memory.
void* heap_allocate(std::size_t size, std::size_t alignment, bool zeroed, std::uint64_t pc);
// Freeing a block counts as a write to all of it: a schedule point, if `call`, the return address,
// is one, and an access that can conflict with those of other threads (see
// runtime/record/learn_points.h). Call it before anything is done to the block. `pc` is where the
// program is, as far as known.
void heap_free_point(void* block, std::uint64_t call, std::uint64_t pc);
// Reports an invalid free; otherwise puts the block into quarantine. False if it is not ours.
// `by_owner`: see Observer::freed.
bool heap_free(void* block, std::uint64_t pc, bool by_owner);
// The same for a realloc that is about to happen; stores the size in *size.
bool heap_owns(void* block, std::size_t* size, std::uint64_t pc);

// ---- Accesses. ----

__attribute__((noinline)) void heap_check_bytes(std::uint64_t address, std::uint64_t size,
                                                bool write, bool atomic, std::uint64_t pc);

// Whether the access needs the slow path.
[[gnu::always_inline]] inline bool heap_may_mind(const volatile void* at, std::uint64_t size) {
  const auto address = reinterpret_cast<std::uint64_t>(at);
  return heap_checks && (heap_state(address) != 0 || (address & 7) + size > 8);
}

// Fast path for a longer access: true if it lies in whole 8-byte units that may be accessed, except
// for the last one.
[[gnu::always_inline]] inline bool heap_range_is_fine(const volatile void* at, std::uint64_t size) {
  const auto first = reinterpret_cast<std::uint64_t>(at), last = first + size - 1;
  if (!heap_checks) return true;
  const std::uint8_t* leaf = heap_leaf(first);
  const std::uint64_t begin = (first >> 3) & (kHeapLeafBytes - 1),
                      end = (last >> 3) & (kHeapLeafBytes - 1);
  if ((first ^ last) >> kHeapLeafShift != 0) return false;
  if (!leaf) return true;
  std::uint64_t i = begin;
  for (; i + 8 <= end; i += 8) {
    std::uint64_t eight;
    __builtin_memcpy(&eight, leaf + i, sizeof eight);
    if (eight != 0) return false;
  }
  for (; i < end; ++i) {
    if (leaf[i] != 0) return false;
  }
  return leaf[end] == 0 || (leaf[end] < 8 && (last & 7) < leaf[end]);
}

// Ends the run if the access is wrong. Call it directly before the access.
[[gnu::always_inline]] inline void heap_check(const volatile void* at, std::uint64_t size,
                                              bool write, std::uint64_t pc, bool atomic = false) {
  if (__builtin_expect(heap_may_mind(at, size), 0))
    heap_check_bytes(reinterpret_cast<std::uint64_t>(at), size, write, atomic, pc);
}

void heap_check_object_bytes(std::uint64_t address, std::uint64_t size, SyncKind what,
                             std::uint64_t pc);

constexpr SyncKind sync_kind(const pthread_mutex_t*) { return SyncKind::kMutex; }
constexpr SyncKind sync_kind(const pthread_rwlock_t*) { return SyncKind::kRwLock; }
constexpr SyncKind sync_kind(const pthread_spinlock_t*) { return SyncKind::kSpinLock; }
constexpr SyncKind sync_kind(const pthread_cond_t*) { return SyncKind::kCondition; }
constexpr SyncKind sync_kind(const sem_t*) { return SyncKind::kSemaphore; }
constexpr SyncKind sync_kind(const pthread_barrier_t*) { return SyncKind::kBarrier; }

// The same for a lock or another object that an interposed function works on, called at `pc`.
template <class T>
inline void heap_check_object(const T* at, std::uint64_t pc) {
  const auto address = reinterpret_cast<std::uint64_t>(at);
  if (__builtin_expect(heap_checks && heap_state(address) != 0, 0))
    heap_check_object_bytes(address, sizeof *at, sync_kind(at), pc);
}

// Tells a block from later ones in its place: gives the live block that the address is in this
// mark, unless it has one, and returns the mark it has. 0: no block is known there; as `mark`: only
// asks.
std::uint32_t heap_mark(const void* address, std::uint32_t mark);

// ---- Questions, for reports. ----

// The block that the address is in, or a freed one that is still in quarantine; false if none is
// known.
bool heap_block(const void* address, MemoryReport* out);
bool heap_is_freed(const void* address);
// The size of the block that begins there and was not freed; 0 if there is none.
std::uint64_t heap_block_size(std::uint64_t begin);

}  // namespace snag::rt
