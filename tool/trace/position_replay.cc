#include "tool/trace/position_replay.h"

#include <fmt/format.h>

#include <algorithm>

#include "tool/trace/position_follower.h"

namespace snag::trace {
namespace {

// One answer to the run's question.
void answer_question(session::Session& session, PositionFollower& follower,
                     PositionTable& positions, bool with_callers) {
  // A thread that blocked or ended is not named, but its operation is there: it is the one that ran
  // last.
  const RemoteExchange& remote = session.shared().remote;
  const std::uint32_t count = std::min(remote.enabled_count, kMaxThreads);
  const std::vector<Tid> enabled(remote.enabled, remote.enabled + count);
  PositionFollower::Question question;
  question.current = remote.current != kNoTid ? remote.current : follower.last();
  question.enabled = enabled;
  if (remote.op.kind < OpKind::kCount) {
    const std::span<const std::uint64_t> callers(remote.frames, with_callers ? kStepFrames : 0);
    question.at = positions.position(positions.id(remote.op.kind, remote.op.pc, callers));
  }
  const PositionFollower::Answer answer = follower.answer(question);
  session.answer(answer.thread, answer.ignore);
}

void judge_failed_run(ReplayResult& result, const Trace& trace, const PositionFollower& follower) {
  result.end = judge(trace, *result.run);
  if (result.end == ReplayEnd::kIdentical) result.end = ReplayEnd::kSameFailure;
  if (result.end == ReplayEnd::kDiverged || !follower.divergence().empty()) {
    result.end = ReplayEnd::kDiverged;
    result.message = follower.divergence().empty() ? result.run->message : follower.divergence();
  }
}

void judge_good_end(ReplayResult& result, const PositionFollower& follower) {
  if (!follower.divergence().empty()) {
    result.message = follower.divergence();
  } else if (!follower.deviation().empty()) {
    result.message = "diverged at " + follower.deviation();
  } else {
    result.message = follower.unfinished();
  }
  result.end = result.message.empty() ? ReplayEnd::kNoFailure : ReplayEnd::kDiverged;
}

}  // namespace

bool has_positions(const Trace& trace) {
  return !trace.switches.empty() || trace.schedule.size() <= 1;
}

Expected<ReplayResult> replay_by_position(const Trace& trace, binary::Symbolizer& symbolizer,
                                          const ReplayOptions& options) {
  if (!has_positions(trace)) {
    return usage_error(
        "the program has changed since the trace was made, and the trace has too many switches "
        "to be followed by source positions: run snag run again");
  }
  if (trace.failure.covered) {
    return usage_error(
        "the program has changed since the trace was made, and it names the covered pair by "
        "instructions of that program: measure again, and run snag run --strategy cover");
  }
  session::SessionOptions session_options;
  session_options.config = replay_config(trace, StrategyKind::kRemote);
  session_options.config.settings.points = Points::kAll;
  // The places of a race have moved: any one will do.
  session_options.config.race_pcs[0] = session_options.config.race_pcs[1] = 0;
  session_options.choices = trace.choices;
  auto session = session::Session::start(trace.program, session_options);
  if (!session) return tl::unexpected(session.error());

  PositionFollower follower(trace.switches);
  std::optional<binary::ModuleMap> modules;
  std::optional<PositionTable> positions;
  ReplayResult result;
  while (true) {
    const session::Event event = (*session)->wait(milliseconds{50});
    if (event == session::Event::kQuestion) {
      if (!positions) {
        modules = session::copy_modules((*session)->shared());
        positions.emplace(symbolizer, *modules);
      }
      answer_question(**session, follower, *positions, has_frames(trace));
      continue;
    }
    if (event == session::Event::kDied) return tl::unexpected((*session)->error());
    if (event == session::Event::kFinished || event == session::Event::kFailed) break;
    if (options.should_stop()) {
      result.end = ReplayEnd::kInterrupted;
      return result;
    }
  }
  result.output = (*session)->output_tail(kOutputTail);
  result.event_hash = (*session)->shared().run.event_hash;
  if ((*session)->poll() == session::Event::kFailed) {
    result.run = session::copy_failed_run((*session)->shared(), session::CopyDepth::kEverything);
    judge_failed_run(result, trace, follower);
  } else {
    judge_good_end(result, follower);
  }
  return result;
}

}  // namespace snag::trace
