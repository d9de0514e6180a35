#include "tool/active/session/prediction.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "tool/active/candidates/debug_info.h"
#include "tool/active/candidates/suppressed_candidate.h"
#include "tool/active/predict/predict.h"
#include "tool/active/tool_reports/suspect_candidates.h"
#include "tool/trace/replay.h"

namespace snag::active {
namespace {

void suppress(std::vector<Candidate>& candidates, const ActiveOptions& options,
              const binary::ModuleMap& modules, binary::Symbolizer& symbolizer) {
  suppress::Suppressions suppressions = options.explore.suppressions;
  for (Candidate& candidate : candidates)
    candidate.suppressed_by = suppression_of(candidate, modules, symbolizer, suppressions);
}

// Finds the candidates that the entries of another tool's report mean in this program.
void take_report(Prediction& prediction, const ActiveOptions& options, ReportPlaces& places,
                 const std::vector<Candidate>& deadlocks) {
  const ToolReport& report = *options.report;
  std::vector<EntryCandidates> entries = candidates_of(report, places, deadlocks);
  ReportResult& result = prediction.report.emplace();
  result.races = report.races;
  result.lock_orders = report.lock_orders;
  result.left_out = report.left_out;
  std::vector<Candidate>& all = prediction.candidates;
  std::map<std::string, std::size_t> known;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const ReportEntry& entry = report.entries[i];
    result.entries.push_back(
        {entry.kind, entry.line, entry.times, {}, entries[i].problem, entries[i].is_unclear});
    if (prediction.lacks_debug_info) {
      result.entries.back().problem = "the program has no debug information";
      continue;
    }
    if (!options.wanted.contains(entry.kind)) {
      result.entries.back().problem = "not asked for";
      continue;
    }
    for (Candidate& candidate : entries[i].candidates) {
      const auto [same, is_new] = known.try_emplace(candidate.key(), all.size());
      if (is_new)
        all.push_back(std::move(candidate));
      else
        add_places(all[same->second], std::move(candidate));
      result.entries.back().verdicts.push_back(same->second);
    }
  }
}

}  // namespace

Expected<Prediction> predict_from_runs(const ActiveOptions& options, std::uint64_t runs,
                                       std::chrono::duration<double> time,
                                       binary::Symbolizer& symbolizer,
                                       explore::ExploreHooks hooks) {
  auto observation = Observation::create();
  if (!observation) return tl::unexpected(observation.error());
  explore::ExploreOptions explore = options.explore;
  explore.settings.strategy = StrategyKind::kRandom;
  explore.runs = runs;
  explore.time = time;
  explore.settings.races = Races::kOff;
  explore.settings.lock_order = false;
  explore.settings.late_wakeups = LateWakeups::kOff;
  explore.watch_fd = observation->fd();
  explore.jobs = 1;
  explore.keep_going = true;
  explore::ExploreResult explored =
      explore::Explorer(explore, symbolizer, std::move(hooks)).explore();
  if (explored.error && explored.totals.runs == 0) return tl::unexpected(*explored.error);
  if (explored.totals.runs == 0 && !explored.interrupted) {
    return tl::unexpected(
        Error{ErrorKind::kNothingRan,
              "nothing ran: the time was over before the first run ended; give more with --time"});
  }
  Prediction result;
  result.runs = explored.totals.runs;
  result.interrupted = explored.interrupted;
  result.problem = explored.error;
  result.failures = std::move(explored.findings);
  result.accesses = observation->accesses();
  result.left_out = observation->left_out();
  for (const auto run : observation->runs()) {
    result.has_threads |= std::any_of(run.begin(), run.end(), [](const WatchEvent& event) {
      return event.kind == WatchKind::kCreate;
    });
  }
  PlaceNames names(*observation, explored.modules, symbolizer);
  const PredictInput input{*observation, names, options.longest_cycle, explore.program.path};
  result.lacks_debug_info = lacks_debug_info(*observation, names);
  if (options.report) {
    ReportPlaces places(*observation, names, explored.modules, symbolizer);
    take_report(result, options, places, united(predict_deadlock(input)));
  } else {
    result.candidates = predict(options.wanted, input);
  }
  suppress(result.candidates, options, explored.modules, symbolizer);
  return result;
}

std::vector<Candidate> predict_from_failure(const ActiveOptions& options, const trace::Trace& trace,
                                            binary::Symbolizer& symbolizer,
                                            const ActiveHooks& hooks) {
  auto observation = Observation::create();
  if (!observation) return {};
  trace::ReplayOptions how;
  how.should_stop = hooks.should_stop;
  how.watch_fd = observation->fd();
  const auto replayed = trace::replay_exactly(trace, how);
  // A replay that diverges loses nothing: the failure itself is reported anyway.
  if (!replayed || !replayed->run || replayed->end == trace::ReplayEnd::kDiverged) return {};
  const binary::ModuleMap& modules = replayed->run->modules;
  PlaceNames names(*observation, modules, symbolizer);
  std::vector<Candidate> all = predict(
      options.wanted, {*observation, names, options.longest_cycle, options.explore.program.path});
  suppress(all, options, modules, symbolizer);
  return all;
}

}  // namespace snag::active
