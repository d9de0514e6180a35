#include "tool/active/confirm/confirm.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "tool/active/confirm/confirm_kinds.h"

namespace snag::active {
using session::FailedRun;

bool has_place(const Side& side, ModulePc pc) {
  return std::any_of(side.places.begin(), side.places.end(),
                     [&](const CodePlace& place) { return place.front() == pc; });
}

bool is_of_program(FailureKind kind) {
  return kind != FailureKind::kUnsupported && kind != FailureKind::kInternal &&
         kind != FailureKind::kRace && kind != FailureKind::kCovered;
}

bool names(const std::string& output, const std::string& location) {
  const auto is_part = [&](std::size_t at, auto is_more) {
    return at < output.size() && is_more(static_cast<unsigned char>(output[at]));
  };
  for (std::size_t at = output.find(location); at != std::string::npos;
       at = output.find(location, at + 1)) {
    const bool begins_before =
        at > 0 && is_part(at - 1, [](int c) { return std::isalnum(c) || c == '_' || c == '-'; });
    const bool goes_on = is_part(at + location.size(), [](int c) { return std::isdigit(c) != 0; });
    if (!begins_before && !goes_on) return true;
  }
  return false;
}

bool happened_in(const Candidate& candidate, const FailedRun& run, binary::Symbolizer& symbolizer) {
  switch (candidate.kind) {
#define SNAG_CASE(kind, word, ...) \
  case Kind::kind:                 \
    return happened_as_##word(candidate, run, symbolizer);
    SNAG_CANDIDATE_KINDS(SNAG_CASE)
#undef SNAG_CASE
  }
  return false;
}

explore::ExploreOptions options_for(const Candidate& candidate, const ConfirmOptions& options) {
  explore::ExploreOptions explore = options.explore;
  const bool by_paper = options.by_paper && row_of(candidate.kind).has(kHasPaperStrategy);
  explore.strategy = by_paper ? StrategyKind::kAssert : StrategyKind::kActive;
  explore.directed = directed_of(candidate);
  explore.points_at = points_of(candidate);
  explore.races = Races::kOff;
  explore.lock_order = false;
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
  if (by_race_detector) explore.races = Races::kFail;
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

std::string closest(const Candidate& candidate, const explore::DirectedTotals& reached,
                    const Obstacles& obstacles) {
  if (!obstacles.replay_problem.empty())
    return fmt::format("it happened, but did not come again: {}", obstacles.replay_problem);
  for (std::size_t i = 0; i < candidate.sides.size(); ++i) {
    if ((reached.arrived >> i & 1) == 0)
      return fmt::format("no thread came to where it {}", candidate.sides[i].text);
  }
  switch (candidate.kind) {
#define SNAG_CASE(kind, word, ...) \
  case Kind::kind:                 \
    return closest_##word(candidate, reached, obstacles);
    SNAG_CANDIDATE_KINDS(SNAG_CASE)
#undef SNAG_CASE
  }
  return "";
}

}  // namespace snag::active
