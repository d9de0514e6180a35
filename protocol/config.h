// What the tool tells a server before the program starts; read-only afterwards.
#pragma once

#include <cstdint>

#include "protocol/directed.h"
#include "protocol/module_pc.h"
#include "protocol/settings.h"
#include "protocol/strategies.h"

namespace snag {

struct Config {
  RunSettings settings;
  // replay, guided: the strategy that made the schedule, which determines which threads may run.
  StrategyKind recorded;
  // replay: only the race of these two places counts.
  ModulePc race_pcs[2];
  std::uint8_t in_place;           // one run in this process, without a fork: for a debugger
  std::uint8_t keep_output;        // 0: the runs' standard output and error are discarded
  std::uint8_t keep_first_output;  // all but those of the first run
  // For CwdSnapshot: an empty folder for the copies, which the tool removes in the end.
  char scratch[200];
  // Stop before each run, and let the tool fill in the schedule.
  std::uint8_t wait_for_schedule;
  // guided: the run ends where the schedule ends (as diverged).
  std::uint8_t end_with_schedule;
  // Number of this server's first run, and the distance to its next one (-j).
  std::uint64_t first_run;
  std::uint64_t run_stride;
  std::uint64_t max_runs;  // 0: until the tool ends the server
  // Contexts to make before the first run. Making them takes memory of the program, so a replay
  // must begin with as many as the run that it repeats. 0: as many as a search begins with.
  std::uint32_t prepared_contexts;
  std::uint32_t replay_length;   // entries of the replay schedule
  std::uint32_t replay_choices;  // entries already present in choices
  std::uint32_t initial_points;  // entries already present in points (as ModulePc)
  // Keep the callers and values of every step: for runs that will be shown.
  std::uint32_t record_frames;
  // Call snag_debugger_stop before this step, counted from 1; 0: never.
  std::uint64_t stop_step;
  WantedPair wanted;           // a run that covers it sets Run::pair_covered
  std::int32_t cover_fd;       // of a CoverStore, see protocol/coverage.h; 0: nothing is measured
  std::int32_t full_trace_fd;  // of a FullTrace, see protocol/full_trace.h; 0: none
  std::int32_t watch_fd;       // of a WatchLog, see protocol/watch.h; 0: none
  Directed directed;
};

}  // namespace snag
