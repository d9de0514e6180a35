// The shared memory between the tool and the program under test.
//
// The tool creates an anonymous memory file, fills in `Config` (and, for a replay, the schedule to
// follow), and starts the program with the file's descriptor number in SNAG_CONTROL. The runtime
// inside the program maps it before main, becomes a fork server, and executes runs by itself until
// it has something to say: no message is exchanged per run. Everything that must survive a crash of
// the run is written here and nowhere else.
//
//   Shared | steps[step_capacity] | choices | points | failure threads | replay schedule
//
// Bump kProtocolVersion with every change of layout or meaning: tool and runtime of different
// versions refuse each other instead of guessing.
#pragma once

#include <atomic>
#include <cstdint>

#include "protocol/ops.h"
#include "protocol/strategies.h"

namespace snag {

inline constexpr std::uint64_t kProtocolMagic = 0x31474e41534e4147;
inline constexpr std::uint32_t kProtocolVersion = 10;
inline constexpr const char* kControlVariable = "SNAG_CONTROL";

inline constexpr std::uint32_t kMaxThreads = 8192;   // per run; threads that ended count too
inline constexpr std::uint32_t kMaxStackDepth = 24;  // frames kept of each thread in a failure
inline constexpr std::uint32_t kMaxReportedLocks = 8;
inline constexpr std::uint32_t kMaxLockOrders = 16;
inline constexpr std::uint32_t kMaxLockCycle = 4;  // locks in a lock order that is reported
inline constexpr std::uint32_t kMaxModules = 128;
inline constexpr std::uint32_t kMaxPoints = 1 << 16;
inline constexpr std::uint32_t kMaxChoices = 1 << 16;

enum class Points : std::uint8_t { kSync, kShared, kAll };
enum class Backend : std::uint8_t { kUser, kFutex };
// What a data race is: nothing, something to tell when the run is over, or the end of the run.
enum class Races : std::uint8_t { kOff, kReport, kFail };

// A program counter that means the same in every process of a binary: module index and offset from
// its bias.
using ModulePc = std::uint64_t;
constexpr ModulePc make_module_pc(std::uint32_t module, std::uint64_t offset) {
  return (std::uint64_t{module} << 48) | offset;
}

// A location pair that is to be covered: the program counters of its two places (one place may have
// several, where the compiler has made copies).
inline constexpr std::uint32_t kMaxWantedPcs = 8;
struct WantedPair {
  std::uint32_t count[2];
  ModulePc pcs[2][kMaxWantedPcs];
};

// Return addresses kept of each step if asked for: enough to get out of the functions of a library
// that are not inlined in an unoptimised program.
inline constexpr std::uint32_t kStepFrames = 6;

// An interleaving that is to happen: threads at certain places, in certain roles (`sides`).
//
//   kRace       0 and 1: two accesses to the same memory, at the same time
//   kDeadlock   each: a thread that has taken a lock and is about to take the next one
//   kAtomicity  0 and 1: two accesses of one thread; 2: of another one, in between
//   kAssertion  0: reads that an assertion depends on; 1: writes to what they read
enum class DirectedKind : std::uint8_t { kNone, kRace, kDeadlock, kAtomicity, kAssertion };

inline constexpr std::uint32_t kMaxDirectedSides = 8;
inline constexpr std::uint32_t kMaxDirectedPlaces = 16;
struct DirectedPlace {
  std::uint32_t depth;           // of frames that count
  ModulePc frames[kStepFrames];  // the operation and its callers, innermost first
};
struct DirectedSide {
  std::uint32_t count;
  DirectedPlace places[kMaxDirectedPlaces];  // any of these
};
struct Directed {
  DirectedKind kind;
  // kRace: 0: either may go first, 1: the first side, 2: the second; nothing is left to chance then
  // once they met: runs of one seed differ in that order only. Plus 2: the second one then goes on.
  std::uint8_t order;
  std::uint8_t any_memory;  // kAtomicity: of several variables that belong together
  std::uint32_t sides;
  DirectedSide side[kMaxDirectedSides];
};

// Written by the tool before the program starts; read-only afterwards.
struct Config {
  StrategyKind strategy;
  StrategyKind recorded;  // replay, guided: who made the schedule, since what may run depends on it
  Points points;
  Backend backend;  // what was asked for; the runtime says in Live::backend what it uses
  Races races;
  ModulePc race_pcs[2];            // replay: only the race of these two places counts
  std::uint8_t heap;               // check every access against the state of the heap
  std::uint8_t lock_misuse;        // misuse of locks is a failure
  std::uint8_t lock_order;         // look for locks that are taken in both orders
  std::uint8_t in_place;           // one run in this very process, no fork: for a debugger
  std::uint8_t keep_output;        // 0: the runs' standard output and error are discarded
  std::uint8_t wait_for_schedule;  // before each run: stop, and let the tool fill in the schedule
  std::uint8_t end_with_schedule;  // guided: where the schedule is over, the run is (as diverged)
  std::uint64_t seed;              // run i of this server uses the i-th seed derived from it
  std::uint64_t
      first_run;  // number of this server's first run, and the distance to its next one (-j)
  std::uint64_t run_stride;
  std::uint64_t max_runs;   // 0: until told to stop
  std::uint64_t max_steps;  // a run that takes more is a livelock
  std::uint32_t pct_depth;
  std::int32_t preemption_bound;  // dfs; -1: none
  std::uint32_t replay_length;    // entries of the replay schedule
  std::uint32_t replay_choices;   // entries already present in choices
  std::uint32_t initial_points;   // entries already present in points (as ModulePc)
  std::uint32_t
      record_frames;  // keep the callers and values of every step; for runs that will be shown
  std::uint64_t stop_step;     // call snag_debugger_stop before this step, counted from 1; 0: never
  WantedPair wanted;           // a run that covers it is told as FailureKind::kCovered
  std::int32_t cover_fd;       // of a CoverStore, see protocol/coverage.h; 0: nothing is measured
  std::int32_t full_trace_fd;  // of a FullTrace, see protocol/full_trace.h; 0: none
  std::int32_t watch_fd;       // of a WatchLog, see protocol/watch.h; 0: none
  Directed directed;
};

// Step::flags: taken without asking the strategy, since nobody else could have gone first.
inline constexpr std::uint8_t kSilentStep = 1;
// And in the upper bits: where in the word that is Step::object a memory access begins.
inline constexpr int kStepOffsetShift = 4;
constexpr std::uint8_t step_offset_flags(std::uint64_t address) {
  return static_cast<std::uint8_t>((address & 7) << kStepOffsetShift);
}

// Threads from this number on are not in Shared::enabled.
inline constexpr std::uint32_t kMaskedThreads = kStepFrames * 64;

// One executed operation. The thread numbers of consecutive steps are the schedule.
struct Step {
  std::uint64_t pc;
  std::uint64_t object;
  Tid thread;
  OpKind kind;
  std::uint8_t flags;
  // If `pc` is in a library: where the program probably called it, from the begin of module 0, plus
  // one; 0: unknown. Means nothing for other steps. For people, not part of the event.
  std::uint32_t caller;
};
static_assert(sizeof(Step) == 24);
constexpr std::uint64_t address_of(const Step& step) {
  return step.object + ((step.flags >> kStepOffsetShift) & 7);
}

// What a step did to memory: filled in with Config::record_frames only.
struct StepValue {
  std::uint64_t before;  // what was there when the step began
  std::uint64_t after;   // what was there when the thread went on
  std::uint8_t size;     // bytes that count of both; 0: no value
};

// A choice that is not one of threads: which of n waiters a signal wakes, and the like.
struct Choice {
  std::uint64_t step;
  std::uint32_t count;
  std::uint32_t value;
};

// A stretch of consecutive steps of one thread.
struct Stretch {
  Tid thread;
  std::uint16_t reserved;
  std::uint32_t steps;
};

enum class RunEnd : std::uint32_t {
  kRunning,   // has not ended; after the process is gone: it died without a word
  kExited,    // exit status in `status`
  kFailed,    // `Failure` says more
  kDiverged,  // replay only: the schedule could not be followed; `Failure::message` says why
};

enum class FailureKind : std::uint32_t {
  kNone,
  kSignal,  // `detail` is the signal
  kAssert,
  kAbort,
  kException,
  kExit,  // `detail` is the exit status
  kDeadlock,
  kLostWakeup,
  kLivelock,
  kHang,
  kReported,     // snag::fail, or a test framework's assertion inside snag::explore
  kInternal,     // a broken invariant of the runtime
  kUnsupported,  // the program does what cannot be controlled; `message` says what to do instead
  kRace,         // `Run::race` says more
  kHeap,         // `Run::heap` says more
  kLockMisuse,
  kCovered,  // not a failure of the program: Config::wanted was covered
};
// In the same order; part of the trace format and of the JSON reports.
inline constexpr const char* kFailureNames[] = {
    "none",        "signal",      "assert",   "abort",       "exception", "exit",
    "deadlock",    "lost-wakeup", "livelock", "hang",        "reported",  "internal",
    "unsupported", "race",        "heap",     "lock-misuse", "covered"};

enum class ThreadStatus : std::uint8_t { kRunnable, kBlocked, kSleeping, kExternal, kFinished };

// One thread at the moment of the failure.
struct ThreadReport {
  Tid thread;
  ThreadStatus status;
  OpKind pending;  // what it is about to do, or waits in
  std::uint64_t pending_pc;
  std::uint64_t object;  // what it waits for
  std::uint8_t offset;   // of a memory access in the word that is the object
  Tid owner;             // who holds that, or kNoTid
  Tid creator;
  std::uint8_t in_cycle;  // part of the cycle of a deadlock
  std::uint8_t timed;
  std::uint16_t depth;
  char name[16];                        // pthread_setname_np
  std::uint64_t stack[kMaxStackDepth];  // return addresses, innermost first
  std::uint64_t
      hint_pc;  // lost wakeup: where the last signal came from that nobody was waiting for
  Tid hint_thread;
};

struct Failure {
  FailureKind kind;
  std::int32_t detail;
  Tid thread;  // who failed
  std::uint16_t reserved;
  std::uint32_t threads;  // entries in the failure threads
  std::uint64_t fault_address;
  std::uint64_t lock;  // that was misused, or that a thread waits for which it holds itself; or 0
  char message[1024];
};

// Objects of the library on which a function of it was called.
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
  SyncKind sync;         // the access is a call of a function on that
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
  Tid thread;  // whose stack, or who allocated it
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
  std::int64_t distance;  // of the access from the block: before its begin < 0, behind its end >= 0
};

// Two locks taken in both orders in one run, or more in a circle: nothing has happened, but it
// could.
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

// The run that is going on, or the last one.
struct Run {
  std::uint64_t number;
  std::uint64_t seed;
  StrategyKind strategy;      // what `mix` chose
  std::uint32_t points_used;  // length of the prefix of `points` in force
  std::atomic<std::uint64_t> steps;
  std::atomic<std::uint32_t> choices;
  std::atomic<RunEnd> end;
  std::int32_t status;
  std::uint32_t threads;  // created in this run, main included
  std::uint64_t
      event_hash;  // of (thread, kind, pc) of all steps, computed by the server after the run
  std::int64_t virtual_time_ns;
  Failure failure;
  RaceReport race;  // valid if race_seen: the first race of this run that no earlier run has told
  std::uint32_t race_seen;
  std::uint32_t goal_seen;  // Config::wanted was covered; the others say by whom
  Tid goal_thread;
  char goal_message[160];
  HeapReport heap;  // of FailureKind::kHeap
};

enum class Uncontrolled : std::uint32_t {
  kFork,  // child processes run natively
  kExec,
  kExternalWait,  // waited for something outside the program, in real time
  kRandom,        // getrandom, /dev/urandom
  kRealClock,     // a clock that could not be made virtual
  kAsyncSignal,
  kForeignThread,  // a thread that was made behind the runtime's back
  kUnmetSchedule,  // a run that ended early: its interleaving cannot meet the event schedule
  kCount
};
inline constexpr const char* kUncontrolledNames[] = {
    "child processes",
    "exec",
    "waits for the outside world",
    "random numbers",
    "real clocks",
    "asynchronous signals",
    "foreign threads",
    "runs in which the event schedule could not be met"};

// How near the runs of a server came to Config::directed.
struct DirectedProgress {
  std::atomic<std::uint32_t> arrived;   // a bit for each side that somebody has come to
  std::atomic<std::uint32_t> together;  // sides that were taken at the same time, at most
  std::atomic<std::uint32_t> happened;  // runs in which it happened
  std::atomic<std::uint32_t> given_up;  // threads let go since nobody else could go on, or for long
  // StrategyKind::kBreakpoints: how often the probability of each breakpoint was halved.
  std::uint8_t halved[2][kMaxDirectedPlaces];
};

enum class Phase : std::uint32_t {
  kStarting,  // the program has not reached the runtime yet
  kRunning,
  kStopped,   // a failing run is in `run`: the tool reads it, then sets `command`
  kFinished,  // no more runs: budget used up, or the whole space explored
  kRefused,   // cannot work; Live::message says why
  // With wait_for_schedule: the last run is in `run`; the tool fills in a schedule, sets the phase
  // to kRunning, and then `command`.
  kAwaiting,
};
enum class Command : std::uint32_t { kNone, kContinue, kQuit };

// Written by the server, read by the tool at any time.
struct Live {
  std::atomic<Phase> phase;
  std::atomic<Command> command;
  std::atomic<std::int32_t> child;        // process of the run that is going on, 0 between runs
  std::atomic<std::int32_t> ended_child;  // that the tool has ended, since it hung
  std::atomic<std::uint64_t> runs;        // completed
  std::atomic<std::uint64_t> failures;
  std::atomic<std::uint64_t> total_steps;
  std::atomic<std::uint64_t> distinct_orders;  // different partial orders among the runs
  std::atomic<std::uint32_t> max_threads;
  std::atomic<std::uint32_t> space_exhausted;   // dfs: everything within the bound was explored
  std::atomic<std::uint32_t> waited_for_event;  // of an event schedule: dfs does not see that order
  std::atomic<std::uint32_t> bound_hit;         // dfs: some schedules were cut by the bound
  std::atomic<std::uint32_t> point_count;
  std::atomic<std::uint64_t> uncontrolled[static_cast<int>(Uncontrolled::kCount)];
  Backend backend;
  char message[512];
  std::atomic<std::uint32_t> lock_order_count;  // of Shared::lock_orders
  DirectedProgress directed;
};

struct Module {
  std::uint64_t base;        // load bias
  std::uint64_t begin, end;  // of the executable segments
  char path[256];
};

// Remote strategy: at each schedule point the run asks the tool, which thread comes next.
struct RemoteExchange {
  std::atomic<std::uint32_t> turn;  // 0: nobody, 1: the tool is to answer, 2: answered
  Tid current;  // the thread at the schedule point, kNoTid if it blocked or ended
  Tid answer;   // kNoTid: give up (diverged)
  std::uint32_t enabled_count;
  std::uint32_t ignore_pc;            // answer: this pc is never a schedule point again in this run
  Op op;                              // what `current` is about to do
  std::uint64_t frames[kStepFrames];  // its callers, innermost first, 0 where there are none
  Tid enabled[kMaxThreads];
};

struct Shared {
  std::uint64_t magic;
  std::uint32_t version;
  std::uint32_t module_count;
  std::uint64_t size;  // of the whole file
  std::uint64_t step_capacity;
  std::uint64_t stretch_capacity;
  Config config;
  Live live;
  Run run;
  Module modules[kMaxModules];
  RemoteExchange remote;
  Choice choices[kMaxChoices];
  std::uint64_t
      points[kMaxPoints];  // program counters that are schedule points though plain accesses
  ThreadReport threads[kMaxThreads];            // of the failure
  LockOrderReport lock_orders[kMaxLockOrders];  // of all runs so far, one for each pair of places

  // Behind the struct: steps, the replay schedule, and the callers of the steps (pages that are not
  // used cost nothing).
  Step* steps() { return reinterpret_cast<Step*>(this + 1); }
  Stretch* schedule() { return reinterpret_cast<Stretch*>(steps() + step_capacity); }
  // kStepFrames for each step, innermost first, 0 where there are none; filled in with
  // Config::record_frames only.
  std::uint64_t* frames() {
    return reinterpret_cast<std::uint64_t*>(schedule() + stretch_capacity);
  }
  // Guided runs, instead of the frames: before each step that is not silent, and before the one
  // that the run ended at, the set of threads that could go on, as kMaskedThreads bits.
  std::uint64_t* enabled() { return frames(); }
  // One for each step, with Config::record_frames only.
  StepValue* values() {
    return reinterpret_cast<StepValue*>(frames() + step_capacity * kStepFrames);
  }
  static std::uint64_t size_for(std::uint64_t step_capacity, std::uint64_t stretch_capacity) {
    return sizeof(Shared) +
           step_capacity *
               (sizeof(Step) + kStepFrames * sizeof(std::uint64_t) + sizeof(StepValue)) +
           stretch_capacity * sizeof(Stretch);
  }
};

}  // namespace snag
