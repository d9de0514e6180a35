// A run: the current one, or the last one.
#pragma once

#include <atomic>
#include <cstdint>

#include "protocol/changed_files.h"
#include "protocol/failure.h"
#include "protocol/ops.h"
#include "protocol/strategies.h"

namespace snag {

enum class RunEnd : std::uint32_t {
  kRunning,   // has not ended; if the process is gone, it died without a report
  kExited,    // exit status in `status`
  kFailed,    // `Failure` says more
  kDiverged,  // replay only: the schedule could not be followed; `Failure::message` says why
};

struct Run {
  std::uint64_t number;
  std::uint64_t seed;
  StrategyKind strategy;      // what `mix` chose
  std::uint32_t points_used;  // length of the prefix of `points` in force
  std::atomic<std::uint64_t> steps;
  std::atomic<std::uint32_t> choices;
  std::atomic<RunEnd> end;
  std::int32_t status;
  std::uint32_t threads;   // created in this run, main included
  std::uint32_t contexts;  // for threads, made before the run began
  // Of (thread, kind, pc) of all steps; computed by the server after the run.
  std::uint64_t event_hash;
  std::int64_t virtual_time_ns;
  Failure failure;
  // Valid if race_seen: the first race of this run that no earlier run has reported.
  RaceReport race;
  std::uint32_t race_seen;
  // Config::wanted was covered, by covering_thread. The tool looks at such a run even if it exited
  // well.
  std::uint32_t pair_covered;
  Tid covering_thread;
  char covered_message[160];
  HeapReport heap;  // of FailureKind::kHeap
  // While it runs: those that it did something to. Afterwards: those that it left changed.
  ChangedFiles changed_files;
  // Of the failure and the reports of the threads, made when they were complete: seal_of().
  std::uint64_t failure_seal;
};

}  // namespace snag
