// The full trace of controlled runs, in memory that the program shares with the tool: everything
// that its threads did, in the order in which they did it. For what must be known exactly of a few
// runs: the checker of coverage (tool/coverage/explain/reference_checker.h), proofs about pairs
// that were never met (tool/coverage/explain/proposals.h).
//
// The tool creates a memory file of FullTrace::size_for(capacity) bytes and passes its descriptor's
// number in Config::full_trace_fd. The runs of a server stand one behind the other. An event is
// there once `count` says so; whatever happens to the program, all that came before is there, too.
// What does not fit is counted in `lost`, and nothing comes after the first event that did not.
//
// One record for everything. A field that is not named is 0.
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
//   kUnwind         who                               functions left
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
// in the function that begins. memcpy and the like are a kRead of all they read and a kWrite of all
// they write. A compare-exchange that changes nothing is a kCompareFailed; every other operation
// that reads and writes is a kAtomicModify, also if the value stays the same. kUnwind: a jump, or
// the end of the thread, has left functions; so many are still active. kWant: the thread is at a
// call that locks, and waits as long as somebody else holds the lock in a way that excludes it;
// its next event says that this is over. kSync is every other operation that has to do with other
// threads, and also comes before the kAcquire or kRelease that belongs to it. kStack: memory that
// has been another thread's stack becomes this one's, or functions that lay there were left by a
// jump. kLeave: the memory of the function that ends, and of what it had called; 0 if not known.
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
