// What a program has covered, in memory that it shares with the tool.
//
// The tool creates a memory file of CoverStore::kSize bytes, fills in `CoverConfig`, and passes the
// descriptor's number: in SNAG_COVER to a program that runs freely, in Config::cover_fd to one that
// runs under control. All tables only grow, and a record counts once it is published by the count
// in front of it or by its own `ready`; so the tool may read at any time, and whatever happens to
// the program, what it had covered until then is there.
//
// Under control everything is exact. In a program that runs freely accesses that nothing orders may
// be taken in another order, or be missed; functions that begin or end at the very moment when
// others look at them may be missed or counted too long; of locks, those who wait for good are
// missed, and who blocks if the lock was taken by a try or by a wait with a deadline. An atomic
// that reads and writes is told after it was done, a plain write before.
//
// `modules` may be filled in by the tool; every process finds its own by their paths, and adds what
// is missing, so that ModulePc means the same in all of them.
//
// Everything is counted in locations: an instrumented instruction, known by its return address, and
// with CoverConfig::context the callers that led to it. Only the tool knows source positions.
#pragma once

#include <atomic>
#include <cstdint>

#include "protocol/metrics.h"
#include "protocol/shared_memory.h"

namespace snag {

inline constexpr std::uint64_t kCoverMagic = 0x5245564f43474e53;
inline constexpr std::uint32_t kCoverVersion = 1;
inline constexpr const char* kCoverVariable = "SNAG_COVER";

inline constexpr std::uint32_t kMaxCoverLocations = 1 << 19;  // what fits into a shadow word
inline constexpr std::uint32_t kMaxCoverThreads = 2046;       // of them told apart in a run
inline constexpr std::uint32_t kMaxCoverPairs = 1 << 20;
inline constexpr std::uint32_t kMaxCoverContext = 4;
inline constexpr std::uint32_t kMaxIgnored = 1 << 16;
inline constexpr std::uint32_t kMaxCoverRuns = 1 << 20;  // of which is known how they ended

// Written by the tool before the program starts.
struct CoverConfig {
  std::uint32_t metrics;        // bits
  std::uint32_t context;        // callers that tell locations apart, at most kMaxCoverContext
  std::uint32_t target;         // also note the pairs that the accesses could form
  std::uint32_t ignored_count;  // instructions whose accesses do not count, see `ignored`
};

enum LocationSeen : std::uint32_t {
  kSeenNothing = 0,
  kSeenRead = 1,
  kSeenWrite = 2,
  kSeenAtomic = 4,
  kSeenEntry = 8,      // a function begins here
  kSeenLock = 16,      // takes a lock; such a location has all callers, whatever the context is
  kSeenBlocked = 32,   // ... and had to wait for it
  kSeenBlocking = 64,  // ... and somebody else had to wait for what was taken here
};

struct CoverLocation {
  ModulePc pc;  // the return address of the hook
  ModulePc callers[kMaxCoverContext];
  std::atomic<std::uint32_t> seen;
  std::atomic<std::uint32_t> ready;
};

enum PairFlags : std::uint32_t {
  kNoFlags = 0,
  kFirstWrites = 1,
  kSecondWrites = 2,
  kIsCovered = 4,
  kIsTarget = 8,  // could be formed by accesses that were seen
};

// One for each (metric, first, second) that was covered or could be.
struct CoverPair {
  std::uint32_t first, second;  // locations
  Metric metric;
  std::atomic<std::uint32_t> flags;
  std::uint64_t address;             // of a variable at which it was met
  std::atomic<std::uint64_t> count;  // kConcurrentMethods: how often
  std::uint64_t time_ns;  // when it was covered first, since the begin of the measurement
  std::uint64_t calls;    // functions called until then, roughly
  std::uint32_t run;      // in which run it was covered first
  std::atomic<std::uint32_t> ready;
};

struct CoverRun {
  std::atomic<std::uint32_t> end;  // FailureKind + 1; 0: not over
};

struct CoverStore {
  std::uint64_t magic;
  std::uint32_t version;
  CoverConfig config;
  std::atomic<std::uint32_t> run;           // the number of the current one, from 0
  std::atomic<std::uint32_t> thread_count;  // in this run
  std::atomic<std::uint64_t> calls;         // of functions, added up now and then
  std::uint64_t begin_ns;                   // CLOCK_MONOTONIC when the measurement began

  std::atomic<std::uint32_t> location_count;  // from 1: 0 is no location
  std::atomic<std::uint32_t> pair_count;

  // What did not fit, to be said to the user.
  std::atomic<std::uint64_t> lost_locations, lost_pairs, lost_threads, lost_variables;

  // Of all processes that share the store.
  std::uint32_t module_count;
  Module modules[kMaxModules];
  char message[512];  // why nothing could be measured

  ModulePc ignored[kMaxIgnored];
  CoverRun runs[kMaxCoverRuns];
  CoverLocation locations[kMaxCoverLocations];
  std::atomic<std::uint32_t> location_index[2 * kMaxCoverLocations];  // open addressing, 0: free
  CoverPair pairs[kMaxCoverPairs];
  std::atomic<std::uint32_t> pair_index[2 * kMaxCoverPairs];  // index in pairs + 1, 0: free
};

}  // namespace snag
