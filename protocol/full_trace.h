// The full trace of controlled runs, in memory that the program shares with the tool: everything
// that its threads did, in the order in which they did it. For what must be known exactly about a
// few runs: the reference checker of coverage (tool/coverage/explain/reference_checker.h) and
// proofs about pairs that were never covered (tool/coverage/explain/proposals.h).
//
// The tool creates a memory file of FullTrace::size_for(capacity) bytes and passes its descriptor's
// number in Config::full_trace_fd. The runs of a server follow one another. An event is valid once
// `count` includes it, and so are all events before it, even if the program crashes. Events that do
// not fit are counted in `lost`; nothing is written after the first of them.
//
// Each event is one record. Fields that the table leaves empty are 0.
//
//   kind            thread    pc                      address             size        detail
//   kRunBegin       0                                 number of the run
//   kRead           who       the access              first byte          in bytes
//   kWrite          who       the access              first byte          in bytes
//   kAtomicRead     who       the access              first byte          in bytes
//   kAtomicWrite    who       the access              first byte          in bytes
//   kAtomicModify   who       the access              first byte          in bytes
//   kCompareFailed  who       the access              first byte          in bytes
//   kEnter          who       in the function         where it was called
//   kLeave          who                               first byte          in bytes
//   kUnwind         who                               functions active
//   kSync           who       the call                the object                      OpKind
//   kWant           who       the call that locks     the lock                        TraceLock
//   kAcquire        who       the call that locks     the lock                        TraceLock
//   kRelease        who                               the lock
//   kThreadCreate   creator                           the new thread's number
//   kThreadEnd      who
//   kThreadJoin     who                               the number of the one that ended
//   kAllocate       who                               first byte          in bytes
//   kFree           who       the call that frees     first byte          in bytes
//   kStack          whose                             first byte          in bytes
//
// Program counters are return addresses as ModulePc; that of kEnter is the hook's own, which lies
// in the function that begins. memcpy and similar functions are a kRead of everything they read and
// a kWrite of everything they write. A compare-exchange that changes nothing is a kCompareFailed;
// every other operation that reads and writes is a kAtomicModify, also if the value stays the same.
// kUnwind: a jump, or the end of the thread, has left functions; `address` says how many are still
// active. kWant: the thread is at a call that locks, and waits as long as another thread holds the
// lock in a way that excludes it; the wait is over at its next event. kSync is every other
// operation that concerns other threads, and also precedes the kAcquire or kRelease that belongs to
// it. kStack: memory that was another thread's stack becomes this one's, or a jump left functions
// whose frames were there. kLeave: the memory of the function that ends, and of the functions that
// it had called; 0 if not known.
#pragma once

#include <atomic>
#include <cstdint>

#include "protocol/shared_memory.h"

namespace snag {

inline constexpr std::uint64_t kFullTraceMagic = 0x4543415254474e53;
inline constexpr std::uint32_t kFullTraceVersion = 1;

enum class TraceKind : std::uint8_t {
  kNone,
  kRunBegin,
  kRead,
  kWrite,
  kAtomicRead,
  kAtomicWrite,
  kAtomicModify,
  kCompareFailed,
  kEnter,
  kLeave,
  kUnwind,
  kSync,
  kWant,
  kAcquire,
  kRelease,
  kThreadCreate,
  kThreadEnd,
  kThreadJoin,
  kAllocate,
  kFree,
  kStack,
  kCount
};

enum class TraceLock : std::uint8_t { kMutex, kRwRead, kRwWrite, kSpin };

struct TraceEvent {
  ModulePc pc;
  std::uint64_t address;
  std::uint64_t size;
  Tid thread;
  TraceKind kind;
  std::uint8_t detail;
  std::uint32_t reserved;
};
static_assert(sizeof(TraceEvent) == 32);

struct FullTrace {
  std::uint64_t magic;
  std::uint32_t version;
  std::uint32_t reserved;
  std::uint64_t capacity;  // of events
  std::atomic<std::uint64_t> count;
  std::atomic<std::uint64_t> lost;

  TraceEvent* events() { return reinterpret_cast<TraceEvent*>(this + 1); }
  const TraceEvent* events() const { return reinterpret_cast<const TraceEvent*>(this + 1); }
  static std::uint64_t size_for(std::uint64_t capacity) {
    return sizeof(FullTrace) + capacity * sizeof(TraceEvent);
  }
};

}  // namespace snag
