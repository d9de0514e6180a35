// Reports of failures, as the runtime writes them.
#pragma once

#include <cstdint>

#include "protocol/failure_kinds.h"
#include "protocol/ops.h"
#include "protocol/steps.h"

namespace snag {

inline constexpr std::uint32_t kMaxStackDepth = 24;  // frames kept of each stack
inline constexpr std::uint32_t kMaxReportedLocks = 8;
inline constexpr std::uint32_t kMaxLockCycle = 4;  // locks in a lock order that is reported

enum class ThreadStatus : std::uint8_t { kRunnable, kBlocked, kSleeping, kExternal, kFinished };

// One thread at the moment of the failure.
struct ThreadReport {
  Tid thread;
  ThreadStatus status;
  OpKind pending;  // what it is about to do, or waits in
  std::uint64_t pending_pc;
  std::uint64_t object;  // what it waits for
  std::uint8_t offset;   // of a memory access in the word that is the object
  Tid owner;             // the thread that holds it, or kNoTid
  Tid creator;
  std::uint8_t in_cycle;  // part of the cycle of a deadlock
  std::uint8_t timed;
  std::uint16_t depth;
  char name[16];                          // pthread_setname_np
  std::uint64_t stack_begin, stack_size;  // the memory that its stack has, until it ends
  std::uint64_t stack[kMaxStackDepth];    // return addresses, innermost first
  // Lost wakeup: where the last signal came from that no thread was waiting for.
  std::uint64_t hint_pc;
  Tid hint_thread;
};

struct Failure {
  FailureKind kind;
  std::int32_t detail;
  Tid thread;  // the one that failed
  std::uint16_t reserved;
  std::uint32_t threads;  // entries in the failure threads
  std::uint64_t fault_address;
  // The lock that was misused, or that a thread waits for while it holds it; or 0.
  std::uint64_t lock;
  char message[1024];
};

// Synchronization objects of the library.
enum class SyncKind : std::uint8_t {
  kNone,
  kMutex,
  kRwLock,
  kSpinLock,
  kCondition,
  kSemaphore,
  kBarrier
};

// A memory access that belongs to a report.
struct AccessReport {
  Tid thread;
  std::uint8_t write;
  std::uint8_t atomic;
  std::uint8_t is_free;  // the access is a deallocation
  SyncKind sync;         // the access is a library call on such an object
  std::uint32_t size;
  std::uint64_t address;
  std::uint64_t step;  // taken so far in the run when it happened
  std::uint16_t depth;
  std::uint16_t lock_count;
  std::uint64_t stack[kMaxStackDepth];     // return addresses, innermost first
  std::uint64_t locks[kMaxReportedLocks];  // held: addresses, and where they were taken
  std::uint64_t lock_pcs[kMaxReportedLocks];
};

enum class MemoryKind : std::uint8_t { kUnknown, kGlobal, kHeap, kStack, kThreadLocal };

// What the memory of an access is.
struct MemoryReport {
  MemoryKind kind;
  std::uint8_t is_freed;
  Tid thread;  // owner of the stack, or the thread that allocated the block
  Tid free_thread;
  std::uint64_t begin, size;  // of the heap block
  std::uint64_t free_step;    // steps taken so far in the run when it was freed
  std::uint16_t alloc_depth, free_depth;
  std::uint64_t alloc_stack[kMaxStackDepth];
  std::uint64_t free_stack[kMaxStackDepth];
};

struct RaceReport {
  AccessReport first, second;  // in the order of the run
  MemoryReport memory;
};

enum class HeapError : std::uint8_t {
  kNone,
  kUseAfterFree,
  kDoubleFree,
  kOutOfBounds,
  kBadFree,  // no block begins there
};

struct HeapReport {
  HeapError error;
  AccessReport access;
  MemoryReport memory;    // the block concerned
  std::int64_t distance;  // from the block: < 0 before its begin, >= 0 behind its end
};

// Two locks taken in both orders in one run, or more in a cycle: a deadlock that could happen.
struct LockOrderReport {
  struct Side {
    Tid thread;
    std::uint16_t depth;
    std::uint64_t held, wanted;  // addresses of the lock it had, and the one it took then
    std::uint64_t held_stack[kStepFrames];  // where it took the first, 0 where there are no more
    std::uint64_t stack[kMaxStackDepth];    // where it took the second
  } sides[kMaxLockCycle];                   // each wants what the next one holds
  std::uint32_t count;                      // of sides
};

}  // namespace snag
