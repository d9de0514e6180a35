#include "gen/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "gen/confirm.h"
#include "gen/minimize.h"

namespace snag::gen {
namespace {

// Later batches are larger: less time goes into waiting for the worker.
constexpr std::size_t kLargestBatch = 64;
// What looks like a violation must come back within so many schedules.
constexpr std::uint32_t kCheckSchedules = 400;
constexpr std::uint32_t kCheckSystemRuns = 200;
constexpr std::uint32_t kMinimizeSchedules = 200;
// Of the time for making a violation smaller, for its test; the rest is for its schedule.
constexpr double kMinimizeShare = 2.0 / 3;
constexpr std::size_t kMostViolations = 50;
// When the time is over: so long at most for judging the tests that ran, and for checking what
// looks like a violation. Few need that; there are classes whose calls take seconds.
constexpr double kJudgeSeconds = 3;
constexpr double kCheckSeconds = 10;

std::optional<Violation> first_of(std::vector<std::optional<Violation>>& violations) {
  for (std::optional<Violation>& violation : violations) {
    if (violation) return std::move(violation);
  }
  return std::nullopt;
}

// Of what is not reported after all.
void remove_files(const FoundViolation& found) {
  std::error_code ignored;
  std::filesystem::remove(found.test_file, ignored);
  std::filesystem::remove(found.gtest_file, ignored);
  if (found.finding) std::filesystem::remove(found.finding->trace_path, ignored);
}

}  // namespace

GenSession::GenSession(const GenSessionOptions& options, const DriverInfo& driver,
                       engine::Symbolizer& symbolizer, const GenHooks& hooks)
    : options_(options),
      driver_(driver),
      symbolizer_(symbolizer),
      hooks_(hooks),
      generator_(driver, options.policy, options.threads, options.seed),
      worker_(driver.executable),
      system_worker_(driver.executable),
      oracle_(worker_, options.oracle),
      trouble_(driver.methods.size()) {
  if (options.seconds > 0) end_ = begin_ + to_clock(options.seconds);
  deadline_ = end_;
  for (WorkerProcess* worker : {&worker_, &system_worker_})
    worker->cut_when([this] { return is_cut(); });
  settings_.hang_seconds = options.hang_seconds;
  settings_.races = options.oracle.races;
  settings_.heap_checks = options.oracle.heap;
  settings_.lock_misuse = options.oracle.locks;
  for (std::size_t i = 0; i < driver.methods.size(); ++i) {
    if ((driver.methods[i].flags & kObserverMethod) != 0 && driver.methods[i].arguments == 0 &&
        settings_.observers.size() < kMaxObservers)
      settings_.observers.push_back(static_cast<std::uint16_t>(i));
  }
}

GenSession::Clock::duration GenSession::to_clock(double seconds) {
  return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

double GenSession::elapsed() const {
  return std::chrono::duration<double>(Clock::now() - begin_).count();
}

bool GenSession::out_of_budget() const {
  return (options_.tests != 0 && outcome_.totals.tests >= options_.tests) || Clock::now() >= end_ ||
         hooks_.should_stop();
}

bool GenSession::is_cut() const { return Clock::now() >= deadline_ || hooks_.should_stop(); }

void GenSession::update_totals() {
  GenTotals& totals = outcome_.totals;
  const PairCounts& counts = generator_.counts();
  totals.seconds = elapsed();
  totals.linearizations = oracle_.linearizations_run();
  totals.unjudged = oracle_.unjudged() + unchecked_;
  totals.restarts = worker_.restarts() + system_worker_.restarts();
  totals.violations = outcome_.violations.size();
  totals.pairs = totals.covered = totals.tried = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (!counts.is_usable_pair(i)) continue;
    ++totals.pairs;
    totals.covered += counts.covered(i) > 0;
    totals.tried += counts.tried(i) > 0;
  }
  const std::vector<CoveragePoint>& curve = outcome_.curve;
  if (curve.empty() || curve.back().covered != totals.covered ||
      curve.back().tried != totals.tried || totals.seconds - curve.back().seconds > 1)
    outcome_.curve.push_back({totals.seconds, totals.tests, totals.covered, totals.tried});
  hooks_.progress(totals);
}

void GenSession::learn() {
  Lessons lessons = oracle_.take_lessons();
  for (const std::uint16_t observer : lessons.hostile_observers)
    std::erase(settings_.observers, observer);
  for (const std::uint16_t method : lessons.changing_methods) {
    if (std::count(settings_.ignored.begin(), settings_.ignored.end(), method) == 0)
      settings_.ignored.push_back(method);
  }
  for (const std::uint16_t method : generator_.take_hopeless())
    outcome_.left_out.push_back(
        {driver_.methods[method].name, "cannot be called alone: " + trouble_[method]});
}

engine::Expected<void> GenSession::validate(std::vector<Draft>& drafts) {
  std::vector<Draft> good;
  while (!drafts.empty()) {
    Batch batch;
    batch.mode = Mode::kOrdered;
    std::vector<std::pair<std::size_t, std::size_t>> owners;
    for (std::size_t i = 0; i < drafts.size(); ++i) {
      for (std::size_t thread = 0; thread < drafts[i].test.suffixes.size(); ++thread) {
        if (generator_.known(drafts[i].test, thread) || batch.tests.size() == kMaxTests) continue;
        Test alone = drafts[i].test;
        alone.suffixes = {drafts[i].test.suffixes[thread]};
        batch.orders.emplace_back(alone.suffixes[0].size(), std::uint8_t{0});
        batch.tests.push_back(std::move(alone));
        owners.emplace_back(i, thread);
      }
    }
    if (!batch.tests.empty()) {
      auto results = worker_.run(batch, settings_);
      if (!results) return tl::unexpected(results.error());
      outcome_.totals.sequences += results->size();
      for (std::size_t i = 0; i < results->size(); ++i)
        remember(drafts[owners[i].first].test, owners[i].second, (*results)[i]);
      learn();
      if (worker_.was_cut()) {
        drafts.clear();
        return {};
      }
    }
    std::vector<Draft> again;
    for (Draft& draft : drafts) {
      SequenceEnd worst = SequenceEnd::kGood;
      for (std::size_t thread = 0; thread < draft.test.suffixes.size(); ++thread) {
        const auto known = generator_.known(draft.test, thread);
        worst = std::max(worst, known ? known->end : SequenceEnd::kBad);
      }
      if (worst == SequenceEnd::kGood) {
        good.push_back(std::move(draft));
      } else {
        Draft other = draft;
        if (generator_.redo(other)) {
          again.push_back(std::move(other));
        } else if (worst == SequenceEnd::kThrows ||
                   (worst == SequenceEnd::kWaits && !options_.system_schedules)) {
          good.push_back(std::move(draft));
        }
      }
    }
    drafts = std::move(again);
    if (is_cut()) break;
  }
  drafts = std::move(good);
  return {};
}

void GenSession::note_coverage(const Test& test, const TestResult& result) {
  PairCounts& counts = generator_.counts();
  const std::size_t prefix = test.prefix.size();
  const auto method = [&](std::uint32_t call) { return test.suffix_call(call - prefix).method; };
  for (const auto& [a, b] : result.overlaps) {
    if (a >= prefix && b >= prefix && a < test.calls() && b < test.calls())
      counts.add_covered(counts.index(method(a), method(b)));
  }
  for (const auto& [a, b] : result.inner_pairs) {
    if (a < counts.methods() && b < counts.methods()) counts.add_covered(counts.index(a, b));
  }
  if (options_.policy != PolicyKind::kRandom) return;
  // Nobody has drawn these pairs: they count as tried when they were called side by side.
  std::set<std::size_t> tried;
  for (std::size_t i = 0; i + 1 < test.suffixes.size(); ++i) {
    for (std::size_t j = i + 1; j < test.suffixes.size(); ++j) {
      for (const TestCall& a : test.suffixes[i])
        for (const TestCall& b : test.suffixes[j]) tried.insert(counts.index(a.method, b.method));
    }
  }
  for (const std::size_t pair : tried) counts.add_tried(pair);
}

// Two calls that only go wrong together are concurrent, even if one ended just before the other
// began in the runs that were seen: a race ends the run it is found in.
void GenSession::note_needed_pair(const Test& test) {
  if (test.suffixes.size() != 2 || test.suffix_calls() != 2) return;
  PairCounts& counts = generator_.counts();
  const std::size_t pair = counts.index(test.suffix_call(0).method, test.suffix_call(1).method);
  if (counts.covered(pair) == 0) counts.add_covered(pair);
}

engine::Expected<std::vector<std::optional<Violation>>> GenSession::try_tests(
    const std::vector<Test>& tests, Mode mode, std::uint32_t schedules,
    const WorkerSettings& settings) {
  Batch batch;
  batch.mode = mode;
  batch.tests = tests;
  batch.schedules = schedules;
  batch.seed = options_.seed * 1'000'003 + ++batches_ * 7919;
  auto results = (mode == Mode::kSystem ? system_worker_ : worker_).run(batch, settings);
  if (!results) return tl::unexpected(results.error());
  return oracle_.judge(tests, *results, settings);
}

engine::Expected<void> GenSession::work() {
  std::vector<Draft> drafts;
  while (drafts.size() < batch_size_) {
    std::vector<Draft> some = generator_.next();
    if (some.empty()) break;
    std::move(some.begin(), some.end(), std::back_inserter(drafts));
  }
  if (drafts.empty()) {
    return engine::nothing_ran(fmt::format(
        "no method of {} could be called: see the list of what was left out, or write a factory",
        driver_.class_name));
  }
  batch_size_ = std::min(batch_size_ * 2, kLargestBatch);
  if (auto validated = validate(drafts); !validated) return validated;
  if (options_.tests != 0) {
    const std::uint64_t left = options_.tests - outcome_.totals.tests;
    if (drafts.size() > left) drafts.resize(left);
  }
  if (drafts.empty()) return {};
  Batch batch;
  batch.mode = options_.system_schedules ? Mode::kSystem : Mode::kControlled;
  batch.schedules = options_.schedules;
  batch.seed = options_.seed * 1'000'003 + ++batches_ * 7919;
  for (Draft& draft : drafts) batch.tests.push_back(std::move(draft.test));
  auto results = (options_.system_schedules ? system_worker_ : worker_).run(batch, settings_);
  if (!results) return tl::unexpected(results.error());
  // Of a batch that was cut short, the tests that ran.
  std::size_t ran = 0;
  while (ran < results->size() && ((*results)[ran].ended || (*results)[ran].runs > 0)) ++ran;
  results->resize(ran);
  batch.tests.resize(ran);
  for (std::size_t i = 0; i < results->size(); ++i) {
    outcome_.totals.runs += (*results)[i].runs;
    note_coverage(batch.tests[i], (*results)[i]);
  }
  extend(kJudgeSeconds);
  const std::uint64_t before = outcome_.totals.tests;
  auto violations = oracle_.judge(batch.tests, *results, settings_);
  if (!violations) return tl::unexpected(violations.error());
  learn();
  for (std::size_t i = 0; i < violations->size(); ++i) {
    outcome_.totals.tests = before + i + 1;
    if (!(*violations)[i]) continue;
    if (auto handled = handle(std::move(*(*violations)[i])); !handled) return handled;
    if (is_over()) return {};
  }
  outcome_.totals.tests = before + violations->size();
  deadline_ = end_;
  return look_behind_races(batch, *results);
}

// Until then at least, also if that is behind the end of the session.
void GenSession::extend(double seconds) {
  deadline_ = std::max(end_, Clock::now() + to_clock(seconds));
}

// A race that is known to be none has ended the runs of these tests: once more without races.
engine::Expected<void> GenSession::look_behind_races(const Batch& batch,
                                                     const std::vector<TestResult>& results) {
  if (dismissed_.empty()) return {};
  Batch again = batch;
  again.tests.clear();
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (results[i].failed && results[i].failure == FailureKind::kRace)
      again.tests.push_back(batch.tests[i]);
  }
  if (again.tests.empty()) return {};
  WorkerSettings settings = settings_;
  settings.races = false;
  auto quiet = worker_.run(again, settings);
  if (!quiet) return tl::unexpected(quiet.error());
  for (std::size_t i = 0; i < quiet->size(); ++i) {
    outcome_.totals.runs += (*quiet)[i].runs;
    note_coverage(again.tests[i], (*quiet)[i]);
  }
  auto violations = oracle_.judge(again.tests, *quiet, settings);
  if (!violations) return tl::unexpected(violations.error());
  learn();
  std::swap(settings_.races, settings.races);  // also while they are checked
  engine::Expected<void> handled;
  for (std::size_t i = 0; i < violations->size() && handled && !is_over(); ++i) {
    if ((*violations)[i]) handled = handle(std::move(*(*violations)[i]));
  }
  settings_.races = settings.races;
  return handled;
}

bool GenSession::is_over() const {
  return (!outcome_.violations.empty() && !options_.keep_going) || hooks_.should_stop();
}

// Under the system's scheduler nobody looks for races and heap errors, which would end each run
// before it shows what was seen there.
WorkerSettings GenSession::settings_for(ViolationKind kind) const {
  WorkerSettings settings = settings_;
  if (!options_.system_schedules) return settings;
  settings.races &= kind == ViolationKind::kRace;
  settings.heap_checks &= kind == ViolationKind::kRace || kind == ViolationKind::kHeap;
  settings.lock_misuse &= kind == ViolationKind::kRace || kind == ViolationKind::kLocks;
  return settings;
}

// From scratch, in a new process; under the system's scheduler too, if it was seen there. A test
// that breaks the class may show it in another way than the first time, with a crash in place of a
// wrong result, say: then that is what is reported.
engine::Expected<std::optional<Violation>> GenSession::check_again(const Violation& violation) {
  worker_.stop();
  const std::vector<Test> once = {violation.test};
  auto controlled =
      try_tests(once, Mode::kControlled, kCheckSchedules, settings_for(violation.kind));
  if (!controlled) return tl::unexpected(controlled.error());
  auto found = first_of(*controlled);
  if (found || !options_.system_schedules) return found;
  // What a broken heap leads to seldom happens twice; that it is broken can be seen.
  auto checked = try_tests(once, Mode::kControlled, kCheckSchedules, settings_);
  if (!checked) return tl::unexpected(checked.error());
  if ((found = first_of(*checked))) return found;
  const std::vector<Test> copies(kCheckSystemRuns, violation.test);
  auto native = try_tests(copies, Mode::kSystem, 1, settings_);
  if (!native) return tl::unexpected(native.error());
  return first_of(*native);
}

engine::Expected<void> GenSession::handle(Violation violation) {
  const Signature signature = signature_of(violation);
  for (const auto& [known, index] : signatures_) {
    if (!known.covers(signature)) continue;
    ++outcome_.violations[index].count;
    return {};
  }
  const auto is_dismissed = [&](const Signature& dismissed) { return dismissed.covers(signature); };
  if (outcome_.violations.size() >= kMostViolations ||
      std::any_of(dismissed_.begin(), dismissed_.end(), is_dismissed))
    return {};
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
  const auto count_same = [&](const Signature& one) {
    const auto same = std::find_if(signatures_.begin(), signatures_.end(),
                                   [&](const auto& known) { return known.first.is_same(one); });
    if (same == signatures_.end()) return false;
    const std::size_t index = same->second;
    ++outcome_.violations[index].count;
    if (!(one == smaller)) signatures_.emplace_back(smaller, index);
    return true;
  };
  if (count_same(smaller)) return {};
  auto searched =
      look_for_schedule(options_, driver_, settings_, symbolizer_, hooks_.should_stop, found);
  if (!searched) return tl::unexpected(searched.error());
  // Races that are known to be none are told apart only there: in the standard library, say.
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
  // The run that is shown may have gone wrong in another way, which is known.
  const Signature shown = signature_of(found.violation);
  if (shown.kind != smaller.kind && count_same(shown)) {
    remove_files(found);
    return {};
  }
  signatures_.emplace_back(smaller, outcome_.violations.size());
  if (shown.kind != smaller.kind) signatures_.emplace_back(shown, outcome_.violations.size());
  note_needed_pair(found.violation.test);
  outcome_.violations.push_back(std::move(found));
  outcome_.observers = settings_.observers;
  hooks_.found(outcome_);
  return {};
}

Outcome GenSession::run() {
  auto done = probe_constructors();
  if (done && !is_cut()) done = probe();
  update_totals();
  while (done && !out_of_budget() && !is_over()) {
    done = work();
    update_totals();
  }
  if (!done) outcome_.error = done.error();
  outcome_.interrupted = hooks_.should_stop();
  if (done && outcome_.totals.tests == 0 && !outcome_.interrupted) {
    outcome_.error = engine::Error{
        engine::ErrorKind::kNothingRan,
        "the time was over before the first test: give it more with --time, or leave slow methods "
        "out with --exclude"};
  }
  outcome_.observers = settings_.observers;
  outcome_.ignored = settings_.ignored;
  outcome_.unsupported = oracle_.unsupported();
  outcome_.pairs = generator_.counts();
  update_totals();
  return std::move(outcome_);
}

Outcome run_gen(const GenSessionOptions& options, const DriverInfo& driver,
                engine::Symbolizer& symbolizer, const GenHooks& hooks) {
  return GenSession(options, driver, symbolizer, hooks).run();
}

}  // namespace snag::gen
