// The shared memory between `snag gen` and a driver that works for it.
//
// The host fills in one task, a batch of tests, and wakes the worker. The worker runs the tests one
// after the other and writes the result of each. What must survive a crash of the class under test,
// such as which thread was in which call, is written here while it happens. Bump kGenVersion with
// every change.
#pragma once

#include <atomic>
#include <cstdint>

#include "protocol/settings.h"

namespace snag::gen {

inline constexpr std::uint32_t kGenMagic = 0x6e65476e;
inline constexpr std::uint32_t kGenVersion = 4;

inline constexpr std::uint32_t kMaxArguments = 8;
inline constexpr std::uint32_t kMaxTestThreads = 8;
inline constexpr std::uint32_t kMaxCalls = 64;  // of a test: prefix and suffixes
inline constexpr std::uint32_t kMaxMethods = 4096;
inline constexpr std::uint32_t kMaxObservers = 24;
inline constexpr std::uint32_t kMaxRecords = kMaxCalls + 2 * kMaxObservers;
inline constexpr std::uint32_t kMaxTests = 256;     // in a batch
inline constexpr std::uint32_t kMaxDistinct = 512;  // different outcomes kept of a batch
inline constexpr std::uint32_t kTextSize = 160;
inline constexpr std::uint32_t kMaxInnerPairs = 64;  // of a test; more are not counted

// Indices of methods in PlainCall::method are those of the driver's table; of constructors, too.
struct PlainCall {
  std::uint16_t method;
  std::uint8_t on_second;  // made on the second object
  std::uint8_t seeds[kMaxArguments];
};

struct PlainTest {
  PlainCall constructor;
  PlainCall second;  // makes the second object
  std::uint8_t has_second;
  std::uint8_t threads;
  std::uint8_t prefix;                   // calls
  std::uint8_t suffix[kMaxTestThreads];  // calls of each thread
  PlainCall calls[kMaxCalls];            // the prefix, then suffix after suffix
};

enum class Mode : std::uint32_t {
  kSystem,      // native threads, once
  kControlled,  // `schedules` controlled schedules of each test
  kOrdered,     // one run of each test, call after call in the order of PlainOrder, under control
};

// The thread of each call of the suffixes, one call after the other.
struct PlainOrder {
  std::uint8_t length;
  std::uint8_t threads[kMaxCalls];
};

enum class CallState : std::uint8_t { kNotMade, kRunning, kDone };

// One call of the run that is going on, or of one that is kept.
struct CallRecord {
  std::atomic<CallState> state;
  std::uint8_t thrown;
  std::uint16_t size;      // of the text
  std::uint16_t compared;  // characters of it that count
  std::uint64_t hash;      // of all of the text that counts, also of what did not fit
  std::uint64_t begin, end;
  char text[kTextSize];
};

// Where a run is.
enum class Stage : std::uint32_t {
  kMaking,   // the objects
  kCalling,  // prefix, suffixes, observers
  kEnding,   // the objects are destroyed
};

enum class EndKind : std::uint32_t {
  kNone,      // not run
  kFinished,  // all runs finished
  kFailed,    // Result::kind says how: see protocol/shared_memory.h, FailureKind
};

// The result of one test of the batch.
struct Result {
  std::atomic<EndKind> end;
  std::uint32_t failure;    // FailureKind of the run that failed
  std::uint32_t confirmed;  // by an immediate replay
  Stage stage;              // of that run
  std::uint32_t unmade;     // an object could not be made: `message` says what its constructor did
  std::uint64_t runs;
  char message[1024];
  char threads[1024];                 // where they were
  std::uint64_t overlaps[kMaxCalls];  // bit j of entry i: calls i and j ran at the same time
  // Methods that ran at the same time, at least one of them called by another method: inner_pair().
  std::atomic<std::uint32_t> inner_pairs[kMaxInnerPairs];
  std::uint8_t states[kMaxRecords];  // of the calls, in the run that failed
  std::uint32_t observing;           // 1 + observer that the failed run was in, or 0
};

// The methods are below kMaxMethods: 0 stands for no pair.
constexpr std::uint32_t inner_pair(std::uint16_t a, std::uint16_t b) {
  const std::uint32_t low = a < b ? a : b, high = a < b ? b : a;
  return (low + 1) << 16 | (high + 1);
}

// A distinct outcome of a test: its records follow in Shared::records.
struct OutcomeSlot {
  std::uint32_t test;
  std::uint32_t count;
  std::uint64_t hash;
  std::uint32_t first_record;
  std::uint32_t records;
};

inline constexpr std::uint32_t kRecordPool = 16384;

enum class WorkerPhase : std::uint32_t { kStarting, kIdle, kBusy, kRefused };

struct WorkerShared {
  std::uint32_t magic;
  std::uint32_t version;
  std::atomic<WorkerPhase> phase;
  std::atomic<std::uint32_t> request;   // counts up: a new task
  std::atomic<std::uint32_t> answered;  // the last request that was done

  // The task.
  Mode mode;
  std::uint32_t tests;
  std::uint32_t schedules;
  RunSettings settings;
  std::uint32_t observer_count;
  std::uint16_t observers[kMaxObservers];  // methods that observe the final state
  std::uint8_t ignored[kMaxMethods / 8];   // bits: methods whose results are not compared
  std::uint32_t first;                     // test to begin with, after a restart
  PlainTest test[kMaxTests];
  PlainOrder order[kMaxTests];

  // The answer. The host has cleared it; after a restart, what was found so far stays.
  std::atomic<std::uint32_t> current;    // test that is being run
  std::atomic<std::uint64_t> run;        // run of the batch that comes next
  std::atomic<std::uint64_t> clock;      // of entries and exits
  std::atomic<std::uint32_t> observing;  // 1 + observer that is being called, or 0
  std::atomic<Stage> stage;
  std::atomic<std::uint32_t> outcome_count;
  std::atomic<std::uint32_t> record_count;
  std::uint32_t lost_outcomes;  // there was no room
  Result result[kMaxTests];
  // Of the run that is going on: the calls, then the observers on the object, then on the second
  // one.
  CallRecord live[kMaxRecords];
  OutcomeSlot outcome[kMaxDistinct];
  CallRecord record[kRecordPool];
};

}  // namespace snag::gen
