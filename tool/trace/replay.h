// Executes the run of a trace again, step for step, with the binary that made it.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "tool/base/error.h"
#include "tool/session/failed_run.h"
#include "tool/session/session.h"
#include "tool/trace/trace.h"

namespace snag::trace {

struct ReplayOptions {
  int watch_fd = 0;  // of a WatchLog; 0: nothing is watched
  // Asked ten times a second; true ends the replay.
  std::function<bool()> should_stop = [] { return false; };
};

enum class ReplayEnd {
  kIdentical,    // the same failure, by the same events
  kSameFailure,  // a failure of the same kind, by other events
  kOther,        // another failure
  kNoFailure,    // the run ended well
  kDiverged,     // the schedule could not be followed; `message` says where
  kInterrupted,
};

struct ReplayResult {
  ReplayEnd end = ReplayEnd::kNoFailure;
  std::optional<session::FailedRun> run;  // of a failure
  std::string message;                    // kDiverged: what happened, and where
  std::uint64_t event_hash = 0;
  std::string output;                  // the end of what the program wrote
  session::FileChanges changed_files;  // that it left
  std::vector<std::string>
      uncontrolled;  // what else the run did that the schedule does not determine
};

// By the exact form of the schedule: only for the same binary.
Expected<ReplayResult> replay_exactly(const Trace& trace, const ReplayOptions& options);

// The end of the program's output that is worth keeping.
inline constexpr std::size_t kOutputTail = 8 * 1024;

// What a run did that the schedule does not determine, for people; without changes of files.
std::vector<std::string> uncontrolled_names(const Shared& shared);

// Compares a failing run with what the trace says.
ReplayEnd judge(const Trace& trace, const session::FailedRun& run);

// Configuration common to both kinds of replay.
Config replay_config(const Trace& trace, StrategyKind strategy);

}  // namespace snag::trace
