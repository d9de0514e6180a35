// Finds a simpler schedule for a failure: the same failure with the fewest switches between
// threads, and among those with the fewest threads and steps.
//
// All attempts are runs of one fork server, which gets a schedule for each (GuidedRunner). First a
// short search among schedules with few switches, then changes to the known schedule
// (ScheduleMoves), then a search among all schedules with fewer switches than are left
// (SwitchSearch), as far as the time goes. The result has been replayed twice.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "tool/base/error.h"
#include "tool/binary/symbolizer.h"
#include "tool/session/failed_run.h"
#include "tool/shrink/shrink_options.h"
#include "tool/trace/trace.h"

namespace snag::shrink {

struct ShrinkResult {
  trace::Trace trace;      // the one given, if nothing better was found
  session::FailedRun run;  // its replay
  std::string output;      // of the program in it
  std::uint64_t switches_before = 0, switches_after = 0;
  std::uint64_t attempts = 0;
  std::chrono::duration<double> seconds{};
  bool smallest = false;  // all schedules with fewer switches were tried
  bool shrunk = false;    // the trace has changed
  std::string problem;    // why a better schedule was not used, or was not searched for
};

// `run` is the failure of the trace, replayed. A run that only real time ends (a hang) stays as it
// is.
Expected<ShrinkResult> shrink(const trace::Trace& trace, const session::FailedRun& run,
                              binary::Symbolizer& symbolizer, const ShrinkOptions& options);

}  // namespace snag::shrink
