#include "tool/active/confirm/confirm.h"

#include <algorithm>

namespace snag::active {
using session::FailedRun;

explore::ExploreOptions options_for(const Candidate& candidate, const ConfirmOptions& options) {
  explore::ExploreOptions explore = options.explore;
  const bool use_breakpoints =
      options.use_breakpoints && row_of(candidate.kind).has(kHasPaperStrategy);
  explore.settings.strategy =
      use_breakpoints ? StrategyKind::kBreakpoints : StrategyKind::kDirected;
  explore.directed = directed_of(candidate);
  explore.points_at = points_of(candidate);
  explore.settings.races = Races::kOff;
  explore.settings.lock_order = false;
  explore.settings.late_wakeups = LateWakeups::kOff;
  explore.jobs = 1;
  explore.keep_going = true;
  return explore;
}

Expected<Attempt> try_to_confirm(const Candidate& candidate, const ConfirmOptions& options,
                                 binary::Symbolizer& symbolizer,
                                 const explore::ExploreHooks& hooks) {
  explore::ExploreOptions explore = options_for(candidate, options);
  const KindRow& row = row_of(candidate.kind);
  const bool by_race_detector = row.has(kByRaceDetector);
  if (by_race_detector) explore.settings.races = Races::kFail;
  const auto is_it = [&](const FailedRun& run) {
    // In directed runs, the runtime reports only the race at the candidate's places.
    if (by_race_detector && run.kind == FailureKind::kRace)
      return is_on_variable(candidate, run, symbolizer);
    if (!happened_in(candidate, run, symbolizer)) return false;
    return !row.has(kNeedsFailure) || !options.comes_anyway(run);
  };
  explore.is_known = [&](const FailedRun& run) { return !is_it(run) && options.is_known(run); };
  explore.is_enough = is_it;
  explore::ExploreResult explored = explore::Explorer(explore, symbolizer, hooks).explore();
  if (explored.error && explored.totals.runs == 0) return tl::unexpected(*explored.error);
  Attempt attempt;
  attempt.runs = explored.totals.runs;
  attempt.reached = explored.directed;
  attempt.interrupted = explored.interrupted;
  attempt.error = explored.error;
  // A race that was suppressed in these runs can only be the candidate.
  attempt.suppressed =
      by_race_detector && std::any_of(explored.suppressions.begin(), explored.suppressions.end(),
                                      [](const suppress::Suppression& entry) {
                                        return entry.matches > 0 &&
                                               (entry.kind == suppress::SuppressionKind::kRace ||
                                                entry.kind == suppress::SuppressionKind::kRaceTop);
                                      });
  for (explore::Finding& finding : explored.findings) {
    // Ask again: only the replayed run knows the callers of its steps.
    if (!attempt.confirmed && finding.confirmed() && is_it(finding.run)) {
      attempt.confirmed = std::move(finding);
      continue;
    }
    if (finding.is_enough && !finding.confirmed())
      attempt.obstacles.replay_problem = finding.replay_problem;
    attempt.others.push_back(std::move(finding));
  }
  attempt.obstacles.failures = explored.totals.failures - (attempt.confirmed ? 1 : 0);
  return attempt;
}

}  // namespace snag::active
