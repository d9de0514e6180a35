// Implements tool/gen/session/gen_session.h: a test that looks like a violation is run again, made
// smaller, and compared with the violations that are known.
#include <algorithm>
#include <filesystem>

#include "tool/gen/judge/minimize.h"
#include "tool/gen/session/gen_session.h"
#include "tool/gen/session/violation_program.h"
#include "tool/session/signature.h"

namespace snag::gen {
namespace {

// What looks like a violation must happen again within this many schedules.
constexpr std::uint32_t kCheckSchedules = 400;
constexpr std::uint32_t kCheckSystemRuns = 200;
constexpr std::uint32_t kMinimizeSchedules = 200;
// The share of the shrinking time for the test; the rest is for its schedule.
constexpr double kMinimizeShare = 2.0 / 3;
// After the time is over, what looks like a violation may be checked for at most this long. Few
// need it, but the calls of some classes take seconds.
constexpr double kCheckSeconds = 10;

std::optional<Violation> first_of(std::vector<std::optional<Violation>>& violations) {
  for (std::optional<Violation>& violation : violations) {
    if (violation) return std::move(violation);
  }
  return std::nullopt;
}

// Removes the files of a violation that is not reported after all.
void remove_files(const FoundViolation& found) {
  std::error_code ignored;
  std::filesystem::remove(found.test_file, ignored);
  std::filesystem::remove(found.gtest_file, ignored);
  if (found.finding) std::filesystem::remove(found.finding->trace_path, ignored);
}

}  // namespace

// Runs under the system's scheduler have no checks for races and heap errors. To see the same again
// under control, switch these checks off: they would end each run too early.
WorkerSettings GenSession::settings_for(ViolationKind kind) const {
  WorkerSettings settings = settings_;
  if (!options_.system_schedules) return settings;
  RunSettings& run = settings.run;
  if (kind != ViolationKind::kRace) run.races = Races::kOff;
  run.heap_checks &= kind == ViolationKind::kRace || kind == ViolationKind::kHeap;
  run.lock_misuse &= kind == ViolationKind::kRace || kind == ViolationKind::kLocks;
  return settings;
}

// Runs the test from scratch, in a new process; also under the system's scheduler if it was seen
// there. The violation may look different from the first time, for example a crash instead of a
// wrong result: then that is reported.
Expected<std::optional<Violation>> GenSession::check_again(const Violation& violation) {
  worker_.stop();
  const std::vector<Test> once = {violation.test};
  auto controlled =
      try_tests(once, Mode::kControlled, kCheckSchedules, settings_for(violation.kind));
  if (!controlled) return tl::unexpected(controlled.error());
  auto found = first_of(*controlled);
  if (found || !options_.system_schedules) return found;
  // The consequences of a heap error seldom repeat, but the checks can see the error itself.
  auto checked = try_tests(once, Mode::kControlled, kCheckSchedules, settings_);
  if (!checked) return tl::unexpected(checked.error());
  if ((found = first_of(*checked))) return found;
  const std::vector<Test> copies(kCheckSystemRuns, violation.test);
  auto native = try_tests(copies, Mode::kSystem, 1, settings_);
  if (!native) return tl::unexpected(native.error());
  return first_of(*native);
}

bool GenSession::count_known(const Signature& signature) {
  for (const auto& [known, index] : signatures_) {
    if (!known.covers(signature)) continue;
    ++outcome_.violations[index].count;
    return true;
  }
  return false;
}

void GenSession::count_same(std::size_t violation, const Signature& signature) {
  ++outcome_.violations[violation].count;
  const std::pair<Signature, std::size_t> entry(signature, violation);
  if (std::find(signatures_.begin(), signatures_.end(), entry) == signatures_.end())
    signatures_.push_back(entry);
}

Expected<void> GenSession::handle(Violation violation) {
  const Signature signature = signature_of(violation);
  if (count_known(signature)) return {};
  const auto is_dismissed = [&](const Signature& dismissed) { return dismissed.covers(signature); };
  if (std::any_of(dismissed_.begin(), dismissed_.end(), is_dismissed)) return {};
  if (outcome_.violations.size() >= kMostViolations) {
    ++outcome_.totals.beyond;
    return {};
  }
  extend(kCheckSeconds);
  for (int time = 0; time < 2; ++time) {
    auto again = check_again(violation);
    if (!again) return tl::unexpected(again.error());
    learn();
    if (!*again) {
      ++(is_cut() ? unchecked_ : outcome_.totals.unconfirmed);
      return {};
    }
    violation = std::move(**again);
  }
  FoundViolation found;
  found.calls_at_first = violation.test.calls();
  found.tests = outcome_.totals.tests;
  found.seconds = elapsed();
  const WorkerSettings settings = settings_for(violation.kind);
  deadline_ = Clock::now() + to_clock(options_.shrink_seconds * kMinimizeShare);
  auto smallest = minimize(
      std::move(violation),
      [&](const std::vector<Test>& tests) {
        return try_tests(tests, Mode::kControlled, kMinimizeSchedules, settings);
      },
      [&] { return is_cut(); });
  extend(kJudgeSeconds);
  if (!smallest) return tl::unexpected(smallest.error());
  learn();
  found.violation = std::move(*smallest);
  const Signature smaller = signature_of(found.violation);
  const auto known_as = [&](const auto& is_it) -> std::optional<std::size_t> {
    const auto known = std::find_if(signatures_.begin(), signatures_.end(), is_it);
    if (known == signatures_.end()) return std::nullopt;
    return known->second;
  };
  const auto is_smaller = [&](const auto& known) { return known.first.is_same(smaller); };
  if (const auto known = known_as(is_smaller)) {
    count_same(*known, smaller);
    return {};
  }
  auto searched =
      look_for_schedule(options_, driver_, settings_, symbolizer_, hooks_.should_stop, found);
  if (!searched) return tl::unexpected(searched.error());
  // Only there are known false races recognised, for example in the standard library.
  if (found.violation.kind == ViolationKind::kRace && !found.finding) {
    remove_files(found);
    if (*searched == Search::kCutShort) {
      ++unchecked_;
      return {};
    }
    dismissed_.push_back(smaller);
    ++outcome_.totals.unconfirmed;
    return {};
  }
  // The run that is shown may have failed in another way, which is already known.
  const Signature shown = signature_of(found.violation);
  const auto is_shown = [&](const auto& known) {
    return shown.kind != smaller.kind && known.first.is_same(shown);
  };
  auto known = known_as(is_shown);
  // A race is its two places, whichever methods lead there.
  std::string race;
  if (found.finding && found.finding->run.kind == FailureKind::kRace) {
    race = session::failure_signature(found.finding->run, symbolizer_);
    const auto same = std::find(races_.begin(), races_.end(), race);
    if (same != races_.end() && !known) known = static_cast<std::size_t>(same - races_.begin());
  }
  if (known) {
    remove_files(found);
    count_same(*known, smaller);
    return {};
  }
  signatures_.emplace_back(smaller, outcome_.violations.size());
  if (shown.kind != smaller.kind) signatures_.emplace_back(shown, outcome_.violations.size());
  note_needed_pair(found.violation.test);
  outcome_.violations.push_back(std::move(found));
  races_.push_back(std::move(race));
  outcome_.observers = settings_.observers;
  hooks_.found(outcome_);
  return {};
}

// Two calls that only fail together count as concurrent, even if one ended just before the other
// began in the observed runs: a race ends the run that it is found in.
void GenSession::note_needed_pair(const Test& test) {
  if (test.suffixes.size() != 2 || test.suffix_calls() != 2) return;
  PairCounts& counts = generator_.counts();
  const std::size_t pair = counts.index(test.suffix_call(0).method, test.suffix_call(1).method);
  if (counts.covered(pair) == 0) counts.add_covered(pair);
}

}  // namespace snag::gen
