#include "tool/gen/session/gen_session.h"

#include <fmt/format.h>

#include <algorithm>

#include "tool/base/seeds.h"

namespace snag::gen {
namespace {

// Later batches are larger: less time goes into waiting for the worker.
constexpr std::size_t kLargestBatch = 64;

}  // namespace

GenSession::GenSession(const GenSessionOptions& options, const DriverInfo& driver,
                       binary::Symbolizer& symbolizer, const GenHooks& hooks)
    : options_(options),
      driver_(driver),
      symbolizer_(symbolizer),
      hooks_(hooks),
      generator_(driver, options.policy, options.threads, options.run.seed),
      worker_(driver.executable),
      system_worker_(driver.executable),
      oracle_(worker_, options.oracle),
      trouble_(driver.methods.size()) {
  if (options.seconds > 0) end_ = begin_ + to_clock(options.seconds);
  deadline_ = end_;
  for (WorkerProcess* worker : {&worker_, &system_worker_})
    worker->cut_when([this] { return is_cut(); });
  settings_.run = options.run;
  settings_.run.races = options.oracle.races ? Races::kFail : Races::kOff;
  settings_.run.heap_checks = options.oracle.heap;
  settings_.run.lock_misuse = options.oracle.locks;
  for (std::size_t i = 0; i < driver.methods.size(); ++i) {
    if ((driver.methods[i].flags & snag_gen::kObserver) != 0 && driver.methods[i].arguments == 0 &&
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

Expected<void> GenSession::validate(std::vector<Draft>& drafts) {
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
  // The policy did not choose these pairs: they count as tried when different threads call them.
  std::set<std::size_t> tried;
  for (std::size_t i = 0; i + 1 < test.suffixes.size(); ++i) {
    for (std::size_t j = i + 1; j < test.suffixes.size(); ++j) {
      for (const TestCall& a : test.suffixes[i])
        for (const TestCall& b : test.suffixes[j]) tried.insert(counts.index(a.method, b.method));
    }
  }
  for (const std::size_t pair : tried) counts.add_tried(pair);
}

Expected<std::vector<std::optional<Violation>>> GenSession::try_tests(
    const std::vector<Test>& tests, Mode mode, std::uint32_t schedules,
    const WorkerSettings& settings) {
  Batch batch;
  batch.mode = mode;
  batch.tests = tests;
  batch.schedules = schedules;
  batch.seed = seed_of_part(options_.run.seed, ++batches_);
  auto results = (mode == Mode::kSystem ? system_worker_ : worker_).run(batch, settings);
  if (!results) return tl::unexpected(results.error());
  return oracle_.judge(tests, *results, settings);
}

Expected<void> GenSession::work() {
  std::vector<Draft> drafts;
  while (drafts.size() < batch_size_) {
    std::vector<Draft> some = generator_.next();
    if (some.empty()) break;
    std::move(some.begin(), some.end(), std::back_inserter(drafts));
  }
  if (drafts.empty()) {
    return nothing_ran(fmt::format(
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
  batch.seed = seed_of_part(options_.run.seed, ++batches_);
  for (Draft& draft : drafts) batch.tests.push_back(std::move(draft.test));
  auto results = (options_.system_schedules ? system_worker_ : worker_).run(batch, settings_);
  if (!results) return tl::unexpected(results.error());
  // If the batch was cut short, keep the tests that ran.
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

// Sets the deadline to this time from now, even if that is after the end of the session.
void GenSession::extend(double seconds) {
  deadline_ = std::max(end_, Clock::now() + to_clock(seconds));
}

// A race that was dismissed ended the runs of these tests. Runs them again without race detection.
Expected<void> GenSession::look_behind_races(const Batch& batch,
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
  settings.run.races = Races::kOff;
  auto quiet = worker_.run(again, settings);
  if (!quiet) return tl::unexpected(quiet.error());
  for (std::size_t i = 0; i < quiet->size(); ++i) {
    outcome_.totals.runs += (*quiet)[i].runs;
    note_coverage(again.tests[i], (*quiet)[i]);
  }
  auto violations = oracle_.judge(again.tests, *quiet, settings);
  if (!violations) return tl::unexpected(violations.error());
  learn();
  std::swap(settings_.run.races, settings.run.races);  // also while they are being checked
  Expected<void> handled;
  for (std::size_t i = 0; i < violations->size() && handled && !is_over(); ++i) {
    if ((*violations)[i]) handled = handle(std::move(*(*violations)[i]));
  }
  settings_.run.races = settings.run.races;
  return handled;
}

bool GenSession::is_over() const {
  return (!outcome_.violations.empty() && !options_.keep_going) || hooks_.should_stop();
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
    outcome_.error = Error{
        ErrorKind::kNothingRan,
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
                binary::Symbolizer& symbolizer, const GenHooks& hooks) {
  return GenSession(options, driver, symbolizer, hooks).run();
}

}  // namespace snag::gen
