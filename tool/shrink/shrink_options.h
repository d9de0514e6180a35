// How far to shrink a failure, and what to report meanwhile.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>

#include "tool/base/hang_timer.h"
#include "tool/session/failed_run.h"

namespace snag::shrink {

struct ShrinkProgress {
  std::uint64_t from = 0, to = 0;  // switches
  std::uint64_t attempts = 0;
};

struct ShrinkOptions {
  std::chrono::duration<double> time{10};
  // Attempts in the last search; small schedules are found early.
  std::size_t search_runs = SIZE_MAX;
  // The last search leaves out only what leads to the same states.
  bool thorough = false;
  // What else must be true of the run, if anything. Runs among the attempts do not have the callers
  // of their steps; the one that is returned does.
  std::function<bool(const session::FailedRun&)> keeps;
  bool keep_output = false;  // FailedRun::output is there for `keeps`
  std::function<bool()> should_stop = [] { return false; };
  std::function<void(const ShrinkProgress&)> progress = [](const ShrinkProgress&) {};
};

}  // namespace snag::shrink
