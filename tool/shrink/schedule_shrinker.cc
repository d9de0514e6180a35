#include "tool/shrink/schedule_shrinker.h"

#include <algorithm>
#include <iterator>

namespace snag::shrink {
namespace {

// Many failures need at most this many switches, and such schedules are found quickly.
constexpr std::size_t kFewSwitches = 4;
constexpr std::size_t kFirstSearchRuns = 500;
// For each number of stretches that is kept.
constexpr std::size_t kSuffixSearchRuns = 500;

}  // namespace

bool ScheduleShrinker::shrink() {
  const std::size_t few = std::min(moves_.cost().switches, kFewSwitches);
  if (search_all(few, kFirstSearchRuns, Thorough::kNo) && limits_.thorough == Thorough::kNo)
    return true;
  if (!moves_.shrink()) return false;
  while (search_suffixes()) {
  }
  return search_all(moves_.cost().switches, limits_.search_runs, limits_.thorough);
}

bool ScheduleShrinker::search_all(std::size_t limit, std::size_t runs, Thorough thorough) {
  const bool all = limit == moves_.cost().switches;
  SwitchSearch search(runner_, thorough);
  search.set_patience(runs);
  SwitchSearchResult result = search.search(limit, {});
  if (result.found) {
    moves_.take(std::move(*result.found));
    moves_.shrink();  // fewer threads, fewer steps
  }
  return result.complete && (all || result.found);
}

bool ScheduleShrinker::search_suffix(std::size_t kept) {
  const TargetSchedule& best = moves_.best();
  TargetSchedule prefix;
  std::copy_n(best.stretches.begin(), kept, std::back_inserter(prefix.stretches));
  std::uint64_t steps = 0;
  for (std::size_t i = 0; i + 1 < kept; ++i) steps += best.stretches[i].steps;
  std::copy_if(best.choices.begin(), best.choices.end(), std::back_inserter(prefix.choices),
               [&](const Choice& choice) { return choice.step < steps; });
  SwitchSearch search(runner_, Thorough::kNo);
  search.set_patience(kSuffixSearchRuns);
  SwitchSearchResult result = search.search(moves_.cost().switches, prefix);
  if (!result.found) return false;
  moves_.take(std::move(*result.found));
  moves_.shrink();
  return true;
}

bool ScheduleShrinker::search_suffixes() {
  for (std::size_t kept = moves_.best().stretches.size(); kept-- > 1;) {
    if (search_suffix(kept)) return true;
  }
  return false;
}

}  // namespace snag::shrink
