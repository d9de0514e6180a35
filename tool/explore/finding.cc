// What makes a failing run a finding: its signature and its trace.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <unordered_set>

#include "tool/base/names.h"
#include "tool/explore/explorer.h"

namespace snag::explore {
namespace {

// Points that no step of the run is at cannot matter for its replay; the others can.
std::vector<ModulePc> points_of_run(const session::FailedRun& run) {
  std::unordered_set<ModulePc> used;
  std::unordered_set<std::uint64_t> seen;
  const auto use = [&](OpKind kind, std::uint64_t pc) {
    const bool plain = kind == OpKind::kRead || kind == OpKind::kWrite || kind == OpKind::kFree;
    if (plain && seen.insert(pc).second) {
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

// The innermost place of a stack that is the user's own; else `pc`, else the innermost of all.
std::string stack_place(const session::FailedRun& run, std::span<const std::uint64_t> stack,
                        std::uint64_t pc, binary::Symbolizer& symbolizer) {
  const binary::Frame* fallback = nullptr;
  const auto place = [](const binary::Frame& frame) {
    return frame.file.empty() ? frame.function
                              : fmt::format("{}:{}", binary::base_name(frame.file), frame.line);
  };
  for (const std::uint64_t address : stack) {
    const binary::Frame* frame = binary::display_frame(symbolizer.lookup(run.modules, address));
    if (frame == nullptr) continue;
    if (binary::is_user_frame(*frame)) return place(*frame);
    if (fallback == nullptr) fallback = frame;
  }
  if (const binary::Frame* frame = binary::display_frame(symbolizer.lookup(run.modules, pc)))
    return place(*frame);
  return fallback != nullptr ? place(*fallback) : "";
}

}  // namespace

std::string access_place(const session::FailedRun& run, const AccessReport& access,
                         binary::Symbolizer& symbolizer) {
  return stack_place(run, {access.stack, access.depth}, 0, symbolizer);
}

std::string thread_place(const session::FailedRun& run, const ThreadReport& thread,
                         binary::Symbolizer& symbolizer) {
  return stack_place(run, {thread.stack, thread.depth}, thread.pending_pc, symbolizer);
}

session::FailedRun race_alone(session::FailedRun run) {
  run.kind = FailureKind::kRace;
  run.detail = 0;
  run.thread = run.race->second.thread;
  run.message.clear();
  run.covered = run.diverged = false;
  return run;
}

std::string failure_signature(const session::FailedRun& run, binary::Symbolizer& symbolizer) {
  std::set<std::string> places;
  if (run.kind == FailureKind::kRace && run.race) {
    for (const AccessReport* access : {&run.race->first, &run.race->second})
      places.insert(access_place(run, *access, symbolizer));
    return fmt::format("race {}", fmt::join(places, ","));
  }
  for (const ThreadReport& thread : run.threads) {
    if (run.concerns(thread)) places.insert(thread_place(run, thread, symbolizer));
  }
  return fmt::format("{} {} {}", run.kind_name(), run.detail, fmt::join(places, ","));
}

trace::Trace make_trace(const session::FailedRun& run, const ExploreOptions& options,
                        binary::Symbolizer& symbolizer) {
  trace::Trace trace;
  trace.program = options.program;
  trace.program_hash = options.program_hash;
  trace.points_mode = options.points;
  trace.backend = options.backend;
  trace.races = options.races;
  if (run.kind == FailureKind::kRace && run.race) {
    trace.races = Races::kFail;
    trace.race_pcs[0] = run.modules.to_module_pc(run.race->first.stack[0]);
    trace.race_pcs[1] = run.modules.to_module_pc(run.race->second.stack[0]);
  }
  if (run.covered) trace.wanted = options.wanted;
  trace.heap_checks = options.heap_checks;
  trace.max_steps = options.max_steps;
  trace.strategy = run.strategy;
  trace.seed = options.seed;
  trace.run = run.number;
  trace.failure = {
      run.kind,   run.detail, session::with_places(run.message, run.modules, symbolizer),
      run.thread, "",         run.covered};
  if (const ThreadReport* thread = run.thread_report(run.thread)) {
    trace.failure.location = thread_place(run, *thread, symbolizer);
  }
  trace.event_hash = run.event_hash;
  trace.steps = run.steps.size();
  trace.points = points_of_run(run);
  trace.choices = run.choices;
  trace.schedule = trace::find_stretches(run.steps);
  if (trace.schedule.size() <= trace::kMaxSwitches)
    trace.switches = trace::find_switches(run, symbolizer);
  return trace;
}

}  // namespace snag::explore
