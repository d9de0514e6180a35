// What a program has covered, in memory that it shares with the tool.
//
// The tool creates a memory file of CoverStore::kSize bytes, fills in `CoverConfig`, and passes the
// descriptor's number: in SNAG_COVER to a program that runs freely, in Config::cover_fd to one that
// runs under control. All tables only grow, and a record counts once it is published by the count
// in front of it or by its own `ready`; so the tool may read at any time, and what the program had
// covered is there even if it crashes.
//
// Under control everything is exact. A program that runs freely is measured approximately: accesses
// that nothing orders may be recorded in another order, or missed; a function that begins or ends
// at the very moment at which another thread looks at it may be missed or counted too long; a
// thread that waits for a lock forever is missed, and so is the owner that blocks others if it
// took the lock by a try or a timed wait. An atomic read-modify-write is recorded after it was
// done, a plain write before.
//
// The tool may fill in `modules`. Every process finds its modules there by their paths, and adds
// those that are missing, so that ModulePc means the same in all processes.
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
inline constexpr std::uint32_t kMaxCoverThreads = 2046;       // of them distinguished in a run
inline constexpr std::uint32_t kMaxCoverPairs = 1 << 20;
inline constexpr std::uint32_t kMaxCoverContext = 4;
inline constexpr std::uint32_t kMaxIgnored = 1 << 16;
inline constexpr std::uint32_t kMaxCoverRuns = 1 << 20;  // whose end is recorded

// Written by the tool before the program starts.
struct CoverConfig {
  std::uint32_t metrics;        // bits
  std::uint32_t context;        // callers that distinguish locations, at most kMaxCoverContext
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
  kSeenBlocking = 64,  // ... and another thread had to wait for what was taken here
  kAllSeen = 2 * kSeenBlocking - 1,
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
  std::uint64_t address;             // of a variable at which the pair was seen
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
  std::atomic<std::uint64_t> calls;         // of functions, updated from time to time
  std::uint64_t begin_ns;                   // CLOCK_MONOTONIC when the measurement began

  std::atomic<std::uint32_t> location_count;  // from 1: 0 is no location
  std::atomic<std::uint32_t> pair_count;

  // What did not fit, for a message to the user.
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
