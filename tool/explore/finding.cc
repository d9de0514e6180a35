#include "tool/explore/finding.h"

#include <algorithm>
#include <iterator>
#include <unordered_map>
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

std::vector<std::size_t> shown_in_full(std::span<const Finding> findings) {
  std::vector<std::size_t> shown;
  std::unordered_map<std::size_t, std::size_t> of_group;  // position in `shown`
  for (std::size_t i = 0; i < findings.size(); ++i) {
    const auto [known, is_new] = of_group.try_emplace(findings[i].group, shown.size());
    if (is_new) {
      shown.push_back(i);
    } else if (findings[i].confirmed() && !findings[shown[known->second]].confirmed()) {
      shown[known->second] = i;
    }
  }
  return shown;
}

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
  } else if (trace.settings.races == Races::kFail) {
    // Not every race has ended this run: a steered one looks for a certain race, and a server
    // reports each race once. A replay knows neither.
    trace.settings.races = Races::kReport;
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
