// What a search for failures is asked to do.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "protocol/shared_memory.h"
#include "tool/base/process.h"
#include "tool/session/failed_run.h"
#include "tool/suppress/suppressions.h"

namespace snag::explore {

struct ExploreOptions {
  Program program;
  std::uint64_t program_hash = 0;
  RunSettings settings;
  std::uint64_t runs = 0;                // over all servers; 0: no limit
  std::chrono::duration<double> time{};  // 0: no limit
  WantedPair wanted{};              // a run that covers it ends the search, as one that fails does
  std::vector<ModulePc> points_at;  // schedule points from the start
  int cover_fd = 0;                 // of a CoverStore; 0: nothing is measured
  int watch_fd = 0;                 // of a WatchLog; 0: nothing is watched
  Directed directed{};              // for the strategies kActive and kAssert
  std::uint64_t first_run = 0;      // number of the first run
  bool keep_output = false;         // `is_enough` sees what the run wrote
  // With keep_going: a failure after which the search need not go on. It is a finding of its own
  // even if it is otherwise equal to another one, also while it is shrunk.
  std::function<bool(const session::FailedRun&)> is_enough = [](const session::FailedRun&) {
    return false;
  };
  // A failure that was reported before: the caller counts it, and the explorer does not keep it.
  std::function<bool(const session::FailedRun&)> is_known = [](const session::FailedRun&) {
    return false;
  };
  int jobs = 1;
  bool keep_going = false;
  std::chrono::duration<double> shrink_time{};  // for all failures together; 0: do not shrink
  std::string trace_folder = "snag-traces";
  suppress::Suppressions suppressions;
};

}  // namespace snag::explore
