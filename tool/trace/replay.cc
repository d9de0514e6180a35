#include "tool/trace/replay.h"

#include <algorithm>

#include "protocol/loop_steps.h"

namespace snag::trace {

Config replay_config(const Trace& trace, StrategyKind strategy) {
  Config config{};
  config.settings = trace.settings;
  config.settings.strategy = strategy;
  config.settings.lock_order = false;
  if (config.settings.late_wakeups == LateWakeups::kReport)
    config.settings.late_wakeups = LateWakeups::kOff;
  // A livelock may have been found behind the last step that the run may take, and is there again.
  if (trace.failure.kind != FailureKind::kLivelock ||
      trace.steps > trace.settings.max_steps + kLoopSteps)
    config.settings.max_steps = std::max(trace.settings.max_steps, trace.steps);
  config.recorded = trace.settings.strategy;
  std::copy(std::begin(trace.race_pcs), std::end(trace.race_pcs), config.race_pcs);
  config.wanted = trace.wanted;
  config.keep_output = 1;
  config.prepared_contexts = trace.contexts;
  config.first_run = trace.run;  // the run's own seed is derived from both
  config.run_stride = 1;
  config.max_runs = 1;
  config.record_frames = wants_frames(trace) ? 1 : 0;
  return config;
}

std::vector<std::string> uncontrolled_names(const Shared& shared) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::size(kUncontrolledNames); ++i) {
    const bool is_about_files = i == static_cast<std::size_t>(Uncontrolled::kChangedFiles);
    if (!is_about_files && shared.live.uncontrolled[i].load() != 0)
      names.emplace_back(kUncontrolledNames[i]);
  }
  return names;
}

ReplayEnd judge(const Trace& trace, const session::FailedRun& run) {
  if (run.diverged) return ReplayEnd::kDiverged;
  if (run.kind != trace.failure.kind || run.detail != trace.failure.detail ||
      run.covered != trace.failure.covered)
    return ReplayEnd::kOther;
  return run.event_hash == trace.event_hash ? ReplayEnd::kIdentical : ReplayEnd::kSameFailure;
}

Expected<ReplayResult> replay_exactly(const Trace& trace, const ReplayOptions& options) {
  session::SessionOptions session_options;
  session_options.config = replay_config(trace, StrategyKind::kReplay);
  session_options.config.watch_fd = options.watch_fd;
  session_options.schedule = trace.schedule;
  session_options.choices = trace.choices;
  session_options.points = trace.points;
  auto session = session::Session::start(trace.program, session_options);
  if (!session) return tl::unexpected(session.error());
  ReplayResult result;
  while (true) {
    switch ((*session)->wait(milliseconds{50})) {
      case session::Event::kNone:
      case session::Event::kQuestion:
      case session::Event::kAwaiting:
        break;
      case session::Event::kDied:
        return tl::unexpected((*session)->error());
      case session::Event::kFinished:
        result.end = ReplayEnd::kNoFailure;
        result.event_hash = (*session)->shared().run.event_hash;
        result.uncontrolled = uncontrolled_names((*session)->shared());
        result.changed_files = session::copy_file_changes((*session)->shared());
        result.output = (*session)->output_tail(kOutputTail);
        return result;
      case session::Event::kFailed:
        result.run =
            session::copy_failed_run((*session)->shared(), session::CopyDepth::kEverything);
        result.uncontrolled = uncontrolled_names((*session)->shared());
        result.changed_files = session::copy_file_changes((*session)->shared());
        result.end = judge(trace, *result.run);
        if (result.run->diverged) result.message = result.run->message;
        result.event_hash = result.run->event_hash;
        result.output = (*session)->output_tail(kOutputTail);
        result.run->output = result.output;
        return result;
    }
    if (options.should_stop()) {
      result.end = ReplayEnd::kInterrupted;
      return result;
    }
  }
}

}  // namespace snag::trace
