// What makes a failing run a finding: its signature and its trace.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <unordered_set>

#include "engine/explorer.h"
#include "engine/names.h"

namespace snag::engine {
namespace {

// A deadlock is where its cycle is; anything else is where the failing thread was.
bool is_concerned(const FailedRun& run, const ThreadReport& thread) {
  const bool waiting_failure =
      run.kind == FailureKind::kDeadlock || run.kind == FailureKind::kLostWakeup;
  if (!waiting_failure) return thread.thread == run.thread;
  const bool has_cycle =
      std::any_of(run.threads.begin(), run.threads.end(),
                  [](const ThreadReport& report) { return report.in_cycle != 0; });
  return has_cycle ? thread.in_cycle != 0 : thread.status == ThreadStatus::kBlocked;
}

// Points that no step of the run is at cannot matter for its replay; the others can.
std::vector<ModulePc> points_of_run(const FailedRun& run) {
  std::unordered_set<ModulePc> used;
  std::unordered_set<std::uint64_t> seen;
  const auto use = [&](OpKind kind, std::uint64_t pc) {
    if ((kind == OpKind::kRead || kind == OpKind::kWrite) && seen.insert(pc).second) {
      used.insert(run.modules.to_module_pc(pc));
    }
  };
  for (const Step& step : run.steps) use(step.kind, step.pc);
  for (const ThreadReport& thread : run.threads) use(thread.pending, thread.pending_pc);
  std::vector<ModulePc> result;
  std::copy_if(run.points.begin(), run.points.end(), std::back_inserter(result),
               [&](ModulePc point) { return used.contains(point); });
  return result;
}

}  // namespace

std::string thread_place(const FailedRun& run, const ThreadReport& thread, Symbolizer& symbolizer) {
  const Frame* fallback = nullptr;
  const auto place = [](const Frame& frame) {
    return frame.file.empty() ? frame.function
                              : fmt::format("{}:{}", base_name(frame.file), frame.line);
  };
  for (int i = 0; i < thread.depth; ++i) {
    const Frame* frame = display_frame(symbolizer.lookup(run.modules, thread.stack[i]));
    if (frame == nullptr) continue;
    if (is_user_frame(*frame)) return place(*frame);
    if (fallback == nullptr) fallback = frame;
  }
  if (const Frame* frame = display_frame(symbolizer.lookup(run.modules, thread.pending_pc)))
    return place(*frame);
  return fallback != nullptr ? place(*fallback) : "";
}

std::string failure_signature(const FailedRun& run, Symbolizer& symbolizer) {
  std::set<std::string> places;
  for (const ThreadReport& thread : run.threads) {
    if (is_concerned(run, thread)) places.insert(thread_place(run, thread, symbolizer));
  }
  return fmt::format("{} {} {}", name_of(run.kind), run.detail, fmt::join(places, ","));
}

Trace make_trace(const FailedRun& run, const ExploreOptions& options, Symbolizer& symbolizer) {
  Trace trace;
  trace.program = options.program;
  trace.program_hash = options.program_hash;
  trace.points_mode = options.points;
  trace.backend = options.backend;
  trace.max_steps = options.max_steps;
  trace.strategy = run.strategy;
  trace.seed = options.seed;
  trace.run = run.number;
  trace.failure = {run.kind, run.detail, with_places(run.message, run.modules, symbolizer),
                   run.thread, ""};
  if (const ThreadReport* thread = run.thread_report(run.thread)) {
    trace.failure.location = thread_place(run, *thread, symbolizer);
  }
  trace.event_hash = run.event_hash;
  trace.steps = run.steps.size();
  trace.points = points_of_run(run);
  trace.choices = run.choices;
  trace.schedule = find_stretches(run.steps);
  if (trace.schedule.size() <= kMaxSwitches) trace.switches = find_switches(run, symbolizer);
  return trace;
}

}  // namespace snag::engine
