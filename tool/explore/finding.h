// A failing run that is worth reporting, and the trace that replays it.
#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tool/binary/symbolizer.h"
#include "tool/explore/explore_options.h"
#include "tool/session/failed_run.h"
#include "tool/trace/trace.h"

namespace snag::explore {

// One distinct failure.
struct Finding {
  session::FailedRun
      run;  // the replayed one once it is confirmed: it knows the callers of its steps
  trace::Trace trace;
  std::string trace_path;
  std::string output;             // the end of what the program wrote in the confirming replay
  std::string replay_problem;     // why it is not confirmed
  bool is_enough = false;         // as ExploreOptions::is_enough found
  std::size_t group = 0;          // races on the same variable have the same, see RaceGroups
  std::uint64_t left_out = 0;     // of the first in its group: pairs of places that were not kept
  std::uint64_t count = 1;        // how many runs failed this way
  std::uint64_t found_after = 0;  // runs of all servers when it was found
  std::uint64_t shrink_attempts = 0;
  std::chrono::duration<double> shrink_time{};
  bool confirmed() const { return trace.confirmed; }
};

// The findings that reports show in full, by their position: of each group one, a confirmed one if
// there is one.
std::vector<std::size_t> shown_in_full(std::span<const Finding> findings);

// What is needed to execute the run again.
trace::Trace make_trace(const session::FailedRun& run, const ExploreOptions& options,
                        binary::Symbolizer& symbolizer);

}  // namespace snag::explore
