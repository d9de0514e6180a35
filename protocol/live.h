// The state of a server: written by it, read by the tool at any time.
#pragma once

#include <atomic>
#include <cstdint>

#include "protocol/directed.h"
#include "protocol/settings.h"

namespace snag {

enum class Uncontrolled : std::uint32_t {
  kFork,  // child processes run natively
  kExec,
  kExternalWait,  // waited for something outside the program, in real time
  kRandom,        // getrandom, /dev/urandom
  kRealClock,     // a clock that could not be made virtual
  kAsyncSignal,
  kForeignThread,  // a thread that the runtime did not see start
  kChangedFiles,   // a run that left files changed
  kUnmetSchedule,  // a run that ended early: its interleaving cannot satisfy the event schedule
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
    "runs that left files changed",
    "runs in which the event schedule could not be met"};

enum class Phase : std::uint32_t {
  kStarting,  // the program has not reached the runtime yet
  kRunning,
  kStopped,   // a failing run is in `run`: the tool reads it, then sets `command`
  kFinished,  // no more runs: budget used up, or the whole space explored
  kRefused,   // refuses to work; Live::message says why
  // With wait_for_schedule: the last run is in `run`; the tool fills in a schedule, sets the phase
  // to kRunning, and then `command`.
  kAwaiting,
};
enum class Command : std::uint32_t { kNone, kContinue, kQuit };

struct Live {
  std::atomic<Phase> phase;
  std::atomic<Command> command;
  std::atomic<std::int32_t> child;        // process of the current run, 0 between runs
  std::atomic<std::int32_t> ended_child;  // ended by the tool because it hung
  std::atomic<std::uint64_t> runs;        // completed
  std::atomic<std::uint64_t> failures;
  std::atomic<std::uint64_t> cut_runs;  // ended at Config::max_steps, not judged
  std::atomic<std::uint64_t> total_steps;
  std::atomic<std::uint64_t> distinct_orders;  // different partial orders among the runs
  std::atomic<std::uint32_t> max_threads;
  std::atomic<std::uint32_t> space_exhausted;  // dfs: everything within the bound was explored
  // A thread waited for an event of an event schedule, or time passed with the steps of others: dfs
  // does not see what that depends on.
  std::atomic<std::uint32_t> waited_for_event;
  std::atomic<std::uint32_t> bound_hit;  // dfs: some schedules were cut by the bound
  std::atomic<std::uint32_t> point_count;
  std::atomic<std::uint64_t> uncontrolled[static_cast<int>(Uncontrolled::kCount)];
  Backend backend;
  CwdSnapshot snapshot;  // kOn or kCopy: what the system allows
  char message[512];
  bool leaves_temporary_files;  // an overlay, but none over the folder for temporary files
  std::atomic<std::uint8_t> refused_rename;      // EXDEV, for which the snapshot may be the reason
  std::atomic<std::uint32_t> lock_order_count;   // of Shared::lock_orders
  std::atomic<std::uint32_t> late_wakeup_count;  // of Shared::late_wakeups
  DirectedProgress directed;
};

}  // namespace snag
