#include "tool/shrink/session_runner.h"

#include <algorithm>

#include "tool/session/signature.h"
#include "tool/trace/replay.h"

namespace snag::shrink {
namespace {

// An attempt without progress for this long is given up.
constexpr std::uint64_t kHangLimitMs = 1'000;
// An attempt that takes this many times the steps of the known run (plus kFewSteps) is given up.
constexpr std::uint64_t kMoreSteps = 4;
constexpr std::uint64_t kFewSteps = 10'000;

}  // namespace

Expected<std::unique_ptr<SessionRunner>> SessionRunner::start(const trace::Trace& trace,
                                                              std::string signature,
                                                              binary::Symbolizer& symbolizer,
                                                              const ShrinkOptions& options,
                                                              Clock::time_point deadline) {
  session::SessionOptions session_options;
  session_options.config = trace::replay_config(trace, StrategyKind::kGuided);
  Config& config = session_options.config;
  config.keep_output = options.keep_output ? 1 : 0;
  config.record_frames = 0;
  config.wait_for_schedule = 1;
  config.max_runs = 0;
  // A livelock is one because of the bound.
  if (!has_trait(trace.failure.kind, kOutOfSteps))
    config.settings.max_steps =
        std::min(config.settings.max_steps, trace.steps * kMoreSteps + kFewSteps);
  config.settings.hang_ms = std::min(config.settings.hang_ms, kHangLimitMs);
  session_options.points = trace.points;
  session_options.schedule_capacity = trace.schedule.size() + 64;
  auto session = session::Session::start(trace.program, session_options);
  if (!session) return tl::unexpected(session.error());
  std::unique_ptr<SessionRunner> runner(new SessionRunner(
      std::move(*session), trace, std::move(signature), symbolizer, options, deadline));
  if (!runner->await() && runner->session_->poll() == session::Event::kDied)
    return tl::unexpected(runner->session_->error());
  return runner;
}

SessionRunner::SessionRunner(std::unique_ptr<session::Session> session, const trace::Trace& trace,
                             std::string signature, binary::Symbolizer& symbolizer,
                             const ShrinkOptions& options, Clock::time_point deadline)
    : session_(std::move(session)),
      wanted_(trace.failure),
      signature_(std::move(signature)),
      symbolizer_(symbolizer),
      keeps_(options.keeps),
      should_stop_(options.should_stop),
      deadline_(deadline) {}

bool SessionRunner::await() {
  while (!over_) {
    const session::Event event = session_->wait(milliseconds{50});
    over_ = event == session::Event::kDied || event == session::Event::kFinished ||
            Clock::now() >= deadline_ || should_stop_();
    on_round();
    if (event == session::Event::kAwaiting) return !over_;
  }
  return false;
}

std::optional<GuidedLog> SessionRunner::run(const TargetSchedule& target) {
  if (over_ || Clock::now() >= deadline_) return std::nullopt;
  if (!session_->send(target.stretches, target.choices, target.end_with_it)) return GuidedLog{};
  if (!await()) return std::nullopt;
  ++attempts_;
  Shared& shared = session_->shared();
  const std::uint64_t steps = std::min(shared.run.steps.load(), shared.step_capacity);
  GuidedLog log;
  log.same_failure = is_same_failure();
  log.ended_early = shared.run.end.load() == RunEnd::kDiverged;
  log.steps = {shared.steps(), steps};
  log.enabled = {shared.enabled(), (steps + 1) * kStepFrames};
  log.choices = {shared.choices, std::min(shared.run.choices.load(), kMaxChoices)};
  log.event_hash = shared.run.event_hash;
  return log;
}

bool SessionRunner::is_same_failure() {
  Shared& shared = session_->shared();
  const Failure& failure = shared.run.failure;
  if (shared.run.end.load() == RunEnd::kDiverged || failure.kind != wanted_.kind ||
      failure.detail != wanted_.detail || (wanted_.covered && shared.run.pair_covered == 0))
    return false;
  if (session::failure_signature(session::copy_failed_run(shared, session::CopyDepth::kSummary),
                                 symbolizer_) != signature_)
    return false;
  if (!keeps_) return true;
  session::FailedRun run = session::copy_failed_run(shared, session::CopyDepth::kEverything);
  run.output = session_->new_output_tail(trace::kOutputTail);
  return keeps_(run);
}

}  // namespace snag::shrink
