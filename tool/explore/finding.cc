#include "tool/explore/finding.h"

#include <algorithm>
#include <iterator>
#include <unordered_set>

#include "tool/session/lock_orders.h"
#include "tool/session/signature.h"
#include "tool/trace/position.h"

namespace snag::explore {
namespace {

// Only points at which the run took a step can matter for its replay.
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

}  // namespace

trace::Trace make_trace(const session::FailedRun& run, const ExploreOptions& options,
                        binary::Symbolizer& symbolizer) {
  trace::Trace trace;
  trace.program = options.program;
  trace.program_hash = options.program_hash;
  trace.settings = options.settings;
  trace.settings.strategy = run.strategy;
  if (run.kind == FailureKind::kRace && run.race) {
    trace.settings.races = Races::kFail;
    trace.race_pcs[0] = run.modules.to_module_pc(run.race->first.stack[0]);
    trace.race_pcs[1] = run.modules.to_module_pc(run.race->second.stack[0]);
  }
  if (run.covered) trace.wanted = options.wanted;
  trace.run = run.number;
  trace.contexts = run.contexts;
  trace.failure = {
      run.kind,   run.detail, session::with_places(run.message, run.modules, symbolizer),
      run.thread, "",         run.covered};
  if (const ThreadReport* thread = run.thread_report(run.thread)) {
    trace.failure.location = session::thread_place(run, *thread, symbolizer);
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
