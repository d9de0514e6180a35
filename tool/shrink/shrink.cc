#include "tool/shrink/shrink.h"

#include "tool/session/signature.h"
#include "tool/shrink/schedule_shrinker.h"
#include "tool/shrink/session_runner.h"
#include "tool/trace/replay.h"

namespace snag::shrink {
namespace {

// Puts the schedule into the trace, if two replays agree with what was seen.
void accept(ShrinkResult& result, const TargetSchedule& best, const std::string& signature,
            binary::Symbolizer& symbolizer, const ShrinkOptions& options) {
  trace::Trace trace = result.trace;
  trace.schedule = best.stretches;
  trace.choices = best.choices;
  trace.steps = cost_of(best.stretches).steps;
  trace.event_hash = best.event_hash;
  for (int i = 0; i < 2; ++i) {
    auto replayed = trace::replay_exactly(trace, {});
    if (!replayed || replayed->end != trace::ReplayEnd::kIdentical ||
        session::failure_signature(*replayed->run, symbolizer) != signature ||
        (options.keeps && !options.keeps(*replayed->run))) {
      result.problem = "a simpler schedule did not come back in its replay";
      return;
    }
    result.run = std::move(*replayed->run);
    result.output = std::move(replayed->output);
  }
  const ThreadReport* thread = result.run.thread_report(result.run.thread);
  trace.failure = {result.run.kind,
                   result.run.detail,
                   result.run.message,
                   result.run.thread,
                   thread != nullptr ? session::thread_place(result.run, *thread, symbolizer) : "",
                   result.run.covered};
  trace.confirmed = true;
  trace.switches.clear();
  if (trace::has_frames(trace)) trace.switches = trace::find_switches(result.run, symbolizer);
  if (!trace.shrunk_from) trace.shrunk_from = result.switches_before;
  result.trace = std::move(trace);
  result.switches_after = cost_of(best.stretches).switches;
  result.shrunk = true;
}

}  // namespace

Expected<ShrinkResult> shrink(const trace::Trace& trace, const session::FailedRun& run,
                              binary::Symbolizer& symbolizer, const ShrinkOptions& options) {
  const auto begin = Clock::now();
  ShrinkResult result;
  result.trace = trace;
  result.run = run;
  const ScheduleCost cost = cost_of(trace.schedule);
  result.switches_before = result.switches_after = cost.switches;
  const bool is_repeated_state =
      trace.failure.kind == FailureKind::kLivelock && trace.steps > trace.settings.max_steps;
  if (has_trait(trace.failure.kind, kNotShrunk) || is_repeated_state) {
    result.problem = "this kind of failure is not shrunk";
    return result;
  }
  const std::string signature = session::failure_signature(run, symbolizer);
  const auto deadline = begin + std::chrono::duration_cast<Clock::duration>(options.time);
  auto runner = SessionRunner::start(trace, signature, symbolizer, options, deadline);
  if (!runner) return tl::unexpected(runner.error());
  ShrinkProgress progress{cost.switches, cost.switches, 0};
  (*runner)->on_round = [&] {
    progress.attempts = (*runner)->attempts();
    options.progress(progress);
  };
  const ScheduleShrinker::Limits limits{options.search_runs,
                                        options.thorough ? Thorough::kYes : Thorough::kNo};
  const TargetSchedule start{trace.schedule, trace.choices, false, trace.event_hash};
  const auto known = (*runner)->run(start);
  if (known && !known->same_failure) {
    result.problem = "it does not fail in this way among other runs";
  } else if (known) {
    ScheduleShrinker shrinker(**runner, start, limits, [&](const TargetSchedule& best) {
      progress.to = cost_of(best.stretches).switches;
    });
    result.smallest = shrinker.shrink();
    const TargetSchedule best = shrinker.best();
    result.attempts = (*runner)->attempts();
    runner->reset();
    if (cost_of(best.stretches) < cost) accept(result, best, signature, symbolizer, options);
    if (!result.problem.empty()) result.smallest = false;
  }
  result.seconds = Clock::now() - begin;
  return result;
}

}  // namespace snag::shrink
