#include "active/active.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "active/consequences.h"
#include "active/debug_info.h"
#include "active/raced_variable.h"
#include "active/report_candidates.h"
#include "active/serial_failures.h"
#include "active/store.h"
#include "active/suppressed_candidate.h"
#include "engine/names.h"

namespace snag::active {
namespace {

// A candidate of atomicity that has happened so often without consequences is not tried further.
constexpr std::uint32_t kHarmlessTimes = 12;
// Where the runs watched tell too little, so many are.
constexpr std::uint64_t kMostWatched = 10;

class ActiveTest {
 public:
  ActiveTest(const ActiveOptions& options, engine::Symbolizer& symbolizer, const ActiveHooks& hooks)
      : options_(options), symbolizer_(symbolizer), hooks_(hooks) {}

  engine::Expected<ActiveResult> run();

 private:
  engine::Expected<std::vector<Candidate>> predict();
  engine::Expected<std::vector<Candidate>> predict_from(std::uint64_t runs);
  std::vector<Candidate> candidates_in(const Observation& observation, PlaceNames& names);
  std::vector<Candidate> from_report(const Observation& observation, PlaceNames& names,
                                     const engine::ModuleMap& modules);
  engine::Expected<void> confirm_all(std::vector<Candidate> candidates);
  engine::Expected<void> follow_surprises();
  engine::Expected<void> confirm(Verdict& verdict, std::size_t number, std::size_t count);
  engine::Expected<void> find_consequences(Verdict& verdict, const ConfirmOptions& options);
  ConfirmOptions confirm_options(std::uint64_t number);
  void confirm_by_others();
  void drop_told_failures();
  void recall();
  void recall_unpredicted();
  void remember(const engine::Finding& finding);
  void store(const Verdict& verdict);
  void take(Verdict& verdict, engine::Finding finding);
  void warn(const std::string& text);
  void keep_verdicts();
  void keep_failures(std::vector<engine::Finding> failures);
  engine::ExploreHooks explore_hooks(std::size_t number, std::size_t count);
  // One line may have races on several variables.
  std::string signature_of(const engine::FailedRun& run) {
    return of_failures_.of(run) + " " + raced_variable(run, symbolizer_);
  }
  bool wants(Kind kind) const { return options_.wanted[static_cast<int>(kind)]; }
  bool is_over() const {
    const auto time = options_.explore.time;
    return time.count() > 0 && engine::Clock::now() - begin_ >= time;
  }

  const ActiveOptions& options_;
  engine::Symbolizer& symbolizer_;
  const ActiveHooks& hooks_;
  engine::Clock::time_point begin_ = engine::Clock::now();
  Stored stored_;
  Signatures of_failures_{symbolizer_};
  SerialFailures serial_{options_.explore, of_failures_, symbolizer_, hooks_.should_stop};
  std::vector<engine::Finding> watched_failures_;
  std::set<std::string> signatures_;              // of the failures
  std::map<std::string, std::string> confirmed_;  // traces by signature
  std::set<std::string> met_;                     // signatures of what failed in this call
  ActiveResult result_;
};

engine::ExploreHooks ActiveTest::explore_hooks(std::size_t number, std::size_t count) {
  engine::ExploreHooks hooks;
  hooks.progress = [this, number, count](const engine::Totals& totals) {
    hooks_.progress(number, count, totals.runs);
  };
  hooks.should_stop = hooks_.should_stop;
  return hooks;
}

void ActiveTest::warn(const std::string& text) {
  std::vector<std::string>& warnings = result_.warnings;
  if (std::find(warnings.begin(), warnings.end(), text) == warnings.end()) warnings.push_back(text);
}

// What was found out is shown all the same if there is no room for it.
void ActiveTest::keep_verdicts() {
  if (options_.file.empty()) return;
  if (auto written = write_verdicts(options_.file, stored_); !written)
    warn(fmt::format("the verdicts are not kept for the next call: {}", written.error().message));
}

// What earlier calls have found is nothing new.
void ActiveTest::recall() {
  std::error_code ignored;
  for (const auto& [key, verdict] : stored_.verdicts) {
    if (verdict.confirmed && !verdict.signature.empty() &&
        std::filesystem::exists(verdict.trace, ignored))
      confirmed_.try_emplace(verdict.signature, verdict.trace);
  }
  for (const auto& [signature, failure] : stored_.failures) {
    if (!std::filesystem::exists(failure.trace, ignored)) continue;
    signatures_.insert(signature);
    result_.earlier_failures.push_back({failure.text, failure.trace});
  }
}

// What an earlier call has confirmed and this one did not predict failed again all the same.
void ActiveTest::recall_unpredicted() {
  std::set<std::string> shown;
  for (const Verdict& verdict : result_.verdicts) {
    if (verdict.end == Verdict::End::kConfirmed) shown.insert(verdict.trace_path);
  }
  for (const auto& [key, verdict] : stored_.verdicts) {
    const auto known = confirmed_.find(verdict.signature);
    if (verdict.confirmed && met_.contains(verdict.signature) && known != confirmed_.end() &&
        known->second == verdict.trace && shown.insert(verdict.trace).second)
      result_.earlier_failures.push_back({key, verdict.trace});
  }
}

void ActiveTest::remember(const engine::Finding& finding) {
  const engine::TraceFailure& failure = finding.trace.failure;
  std::string text(engine::name_of(failure.kind));
  if (!failure.message.empty()) text += ": " + failure.message;
  if (!failure.location.empty()) text += " at " + failure.location;
  stored_.failures[signature_of(finding.run)] = {std::move(text), finding.trace_path};
}

// Several candidates may end in one failure: accesses that are close to each other do. It is shown
// once, if what this candidate is about happened in the run that is shown.
void ActiveTest::take(Verdict& verdict, engine::Finding finding) {
  const std::string signature = signature_of(finding.run);
  const bool by_place =
      verdict.candidate.kind == Kind::kRace || verdict.candidate.kind == Kind::kDeadlock;
  for (const Verdict& other : result_.verdicts) {
    if (!other.finding || signature_of(other.finding->run) != signature) continue;
    if (!by_place && !happened_in(verdict.candidate, other.finding->run, symbolizer_)) continue;
    verdict.trace_path = other.trace_path;
    verdict.is_repeated = true;
    if (!finding.trace_path.empty()) std::filesystem::remove(finding.trace_path);
    return;
  }
  const auto [known, is_new] = confirmed_.try_emplace(signature, finding.trace_path);
  if (by_place && !is_new) {  // by an earlier call
    verdict.trace_path = known->second;
    verdict.is_repeated = true;
    if (!finding.trace_path.empty()) std::filesystem::remove(finding.trace_path);
    return;
  }
  verdict.trace_path = finding.trace_path;
  verdict.finding = std::move(finding);
}

// One failure may be met on the way to many candidates.
void ActiveTest::keep_failures(std::vector<engine::Finding> failures) {
  for (engine::Finding& finding : failures) {
    const std::string signature = signature_of(finding.run);
    met_.insert(signature);
    if (!confirmed_.contains(signature) && signatures_.insert(signature).second)
      result_.failures.push_back(std::move(finding));
    else if (!finding.trace_path.empty())
      std::filesystem::remove(finding.trace_path);
  }
}

// What was not reproduced may have happened all the same, on the way to something else.
void ActiveTest::confirm_by_others() {
  for (Verdict& verdict : result_.verdicts) {
    if (verdict.end == Verdict::End::kConfirmed) continue;
    const auto is_it = [&](const engine::Finding& finding) {
      return finding.confirmed() && happened_in(verdict.candidate, finding.run, symbolizer_) &&
             (verdict.candidate.kind != Kind::kAtomicity || !serial_.contain(finding.run));
    };
    const auto met = std::find_if(result_.failures.begin(), result_.failures.end(), is_it);
    if (met != result_.failures.end()) {
      verdict.end = Verdict::End::kConfirmed;
      verdict.trace_path = met->trace_path;
      verdict.finding = std::move(*met);
      result_.failures.erase(met);
      continue;
    }
    for (const Verdict& other : result_.verdicts) {
      for (const auto* finding : {&other.finding, &other.failure}) {
        if (verdict.end == Verdict::End::kConfirmed || !*finding || !is_it(**finding)) continue;
        verdict.end = Verdict::End::kConfirmed;
        verdict.trace_path = (*finding)->trace_path;
        verdict.is_repeated = true;
      }
    }
  }
}

// What confirms a candidate is no other failure.
void ActiveTest::drop_told_failures() {
  for (const Verdict& verdict : result_.verdicts) {
    for (const auto* finding : {&verdict.finding, &verdict.failure}) {
      if (!*finding) continue;
      const std::string signature = signature_of((*finding)->run);
      std::erase_if(result_.failures, [&](const engine::Finding& other) {
        if (signature_of(other.run) != signature) return false;
        if (!other.trace_path.empty()) std::filesystem::remove(other.trace_path);
        return true;
      });
    }
  }
}

// A run that fails is over early: what would have come then is not predicted.
engine::Expected<std::vector<Candidate>> ActiveTest::predict() {
  auto candidates = predict_from(options_.watched_runs);
  if (!candidates || !options_.may_watch_more || result_.interrupted || is_over())
    return candidates;
  std::uint64_t early = 0;
  for (const engine::Finding& finding : watched_failures_) {
    if (finding.run.kind != FailureKind::kExit) early += finding.count;
  }
  const bool is_hopeless = !result_.has_threads || result_.lacks_debug_info;
  if (early == 0 && (!candidates->empty() || is_hopeless)) return candidates;
  result_.watched_more =
      early > 0
          ? fmt::format("{} of the first {} failed before the end", early, result_.watched_runs)
          : fmt::format("nothing was predicted from the first {}", result_.watched_runs);
  return predict_from(kMostWatched);
}

engine::Expected<std::vector<Candidate>> ActiveTest::predict_from(std::uint64_t runs) {
  auto observation = Observation::create();
  if (!observation) return tl::unexpected(observation.error());
  engine::ExploreOptions explore = options_.explore;
  explore.strategy = StrategyKind::kRandom;
  explore.runs = runs;
  if (explore.time.count() > 0) explore.time -= engine::Clock::now() - begin_;
  explore.races = Races::kOff;
  explore.lock_order = false;
  explore.watch_fd = observation->fd();
  explore.jobs = 1;
  explore.keep_going = true;
  engine::ExploreResult explored =
      engine::Explorer(explore, symbolizer_, explore_hooks(0, 0)).explore();
  result_.watched_runs = explored.totals.runs;
  result_.interrupted = explored.interrupted;
  if (explored.error && explored.totals.runs == 0) return tl::unexpected(*explored.error);
  if (explored.error) warn(explored.error->message);
  if (explored.totals.runs == 0 && !explored.interrupted) {
    return tl::unexpected(engine::Error{
        engine::ErrorKind::kNothingRan,
        "nothing ran: the time was over before the first run was; give more by --time"});
  }
  std::move(explored.findings.begin(), explored.findings.end(),
            std::back_inserter(watched_failures_));
  result_.accesses = observation->accesses();
  result_.left_out = observation->left_out();

  for (const auto run : observation->runs()) {
    result_.has_threads |= std::any_of(run.begin(), run.end(), [](const WatchEvent& event) {
      return event.kind == WatchKind::kCreate;
    });
  }

  PlaceNames names(*observation, explored.modules, symbolizer_);
  result_.lacks_debug_info = lacks_debug_info(*observation, names);
  std::vector<Candidate> all = options_.report ? from_report(*observation, names, explored.modules)
                                               : candidates_in(*observation, names);
  engine::Suppressions suppressions = options_.explore.suppressions;
  for (Candidate& candidate : all) {
    candidate.suppressed_by =
        suppression_of(candidate, explored.modules, symbolizer_, suppressions);
  }
  return all;
}

std::vector<Candidate> ActiveTest::candidates_in(const Observation& observation,
                                                 PlaceNames& names) {
  std::vector<Candidate> all;
  const auto add = [&](std::vector<Candidate> more) {
    std::move(more.begin(), more.end(), std::back_inserter(all));
  };
  if (wants(Kind::kAssertion)) {
    add(predict_assertions(observation, names, options_.explore.program.path, symbolizer_));
  }
  if (wants(Kind::kDeadlock)) add(predict_deadlocks(observation, names, options_.longest_cycle));
  if (wants(Kind::kRace)) add(predict_races(observation, names));
  if (wants(Kind::kAtomicity)) add(predict_atomicity(observation, names));
  return united(std::move(all));
}

std::vector<Candidate> ActiveTest::from_report(const Observation& observation, PlaceNames& names,
                                               const engine::ModuleMap& modules) {
  const ToolReport& report = *options_.report;
  ReportPlaces places(observation, names, modules, symbolizer_);
  std::vector<EntryCandidates> entries = candidates_of(
      report, places, united(predict_deadlocks(observation, names, options_.longest_cycle)));
  ReportResult& result = result_.report.emplace();
  result.races = report.races;
  result.lock_orders = report.lock_orders;
  result.left_out = report.left_out;
  std::vector<Candidate> all;
  std::map<std::string, std::size_t> known;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const ReportEntry& entry = report.entries[i];
    result.entries.push_back(
        {entry.kind, entry.line, entry.times, {}, entries[i].problem, entries[i].is_unclear});
    if (result_.lacks_debug_info) {
      result.entries.back().problem = "the program has no debug information";
      continue;
    }
    if (!wants(entry.kind)) {
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
  return all;
}

engine::Expected<void> ActiveTest::find_consequences(Verdict& verdict,
                                                     const ConfirmOptions& options) {
  auto consequences = consequences_of(verdict.candidate, options, symbolizer_, explore_hooks(0, 0));
  if (!consequences) return tl::unexpected(consequences.error());
  verdict.harmful = consequences->harmful;
  verdict.consequences = consequences->text;
  verdict.failure = std::move(consequences->failure);
  return {};
}

ConfirmOptions ActiveTest::confirm_options(std::uint64_t number) {
  ConfirmOptions options{options_.explore, options_.by_paper};
  options.explore.time = {};
  options.explore.seed += 1000 * (number + 1);
  options.explore.keep_output = of_failures_.need_output();
  options.comes_anyway = [this](const engine::FailedRun& run) { return serial_.contain(run); };
  options.is_known = [this](const engine::FailedRun& run) {
    const std::string signature = signature_of(run);
    met_.insert(signature);
    return confirmed_.contains(signature) || signatures_.contains(signature);
  };
  return options;
}

engine::Expected<void> ActiveTest::confirm(Verdict& verdict, std::size_t number,
                                           std::size_t count) {
  const Candidate& candidate = verdict.candidate;
  ConfirmOptions options = confirm_options(number);
  options.explore.first_run = verdict.earlier_runs;
  if (candidate.kind == Kind::kAtomicity)
    options.explore.runs = std::min<std::uint64_t>(options.explore.runs, kHarmlessTimes);
  std::uint64_t left = options_.explore.runs;
  for (;;) {
    auto attempt = try_to_confirm(candidate, options, symbolizer_, explore_hooks(number, count));
    if (!attempt) return tl::unexpected(attempt.error());
    if (attempt->confirmed) attempt->confirmed->found_after += verdict.runs;
    verdict.runs += attempt->runs;
    result_.runs += attempt->runs;
    left -= std::min(left, attempt->runs);
    verdict.reached.arrived |= attempt->reached.arrived;
    verdict.reached.together = std::max(verdict.reached.together, attempt->reached.together);
    verdict.reached.happened += attempt->reached.happened;
    verdict.reached.given_up += attempt->reached.given_up;
    verdict.obstacles.failures += attempt->obstacles.failures;
    if (!attempt->obstacles.replay_problem.empty())
      verdict.obstacles.replay_problem = std::move(attempt->obstacles.replay_problem);
    verdict.end = Verdict::End::kNotReproduced;
    keep_failures(std::move(attempt->others));
    if (attempt->confirmed) {
      verdict.end = Verdict::End::kConfirmed;
      take(verdict, std::move(*attempt->confirmed));
    }
    if (attempt->error) warn(attempt->error->message);
    if (attempt->suppressed && !attempt->confirmed) {
      verdict.end = Verdict::End::kSuppressed;
      break;
    }
    result_.interrupted = attempt->interrupted;
    if (attempt->confirmed || attempt->interrupted || left == 0 || attempt->runs == 0) break;
    if (candidate.kind == Kind::kAtomicity && verdict.reached.happened >= kHarmlessTimes / 2) break;
    options.explore.first_run += attempt->runs;
    options.explore.runs = left;
  }
  if (verdict.end == Verdict::End::kNotReproduced && candidate.kind == Kind::kAtomicity &&
      verdict.reached.happened > 0)
    verdict.end = Verdict::End::kHappened;
  if (!verdict.finding || candidate.kind != Kind::kRace) return {};
  if (verdict.finding->run.kind == FailureKind::kRace) return find_consequences(verdict, options);
  verdict.harmful = true;
  verdict.consequences = "harmful: the program uses memory that was given back";
  return {};
}

void ActiveTest::store(const Verdict& verdict) {
  stored_.verdicts[verdict.candidate.key()] = {
      verdict.end == Verdict::End::kConfirmed,
      verdict.harmful,
      verdict.runs,
      verdict.reached.arrived,
      verdict.reached.together,
      verdict.reached.happened,
      verdict.trace_path,
      verdict.consequences,
      verdict.finding ? signature_of(verdict.finding->run) : std::string()};
  keep_verdicts();
}

engine::Expected<void> ActiveTest::confirm_all(std::vector<Candidate> candidates) {
  const std::size_t before = result_.verdicts.size(), count = before + candidates.size();
  for (std::size_t i = before; i < count; ++i) {
    Verdict verdict;
    verdict.candidate = std::move(candidates[i - before]);
    const std::string key = verdict.candidate.key();
    const StoredVerdict stored = stored_.verdicts[key];
    verdict.runs = verdict.earlier_runs = stored.runs;
    verdict.reached = {stored.arrived, stored.together, stored.happened, 0};
    std::error_code ignored;
    if (!verdict.candidate.suppressed_by.empty()) {
      verdict.end = Verdict::End::kSuppressed;
    } else if (stored.confirmed && std::filesystem::exists(stored.trace, ignored)) {
      verdict.end = Verdict::End::kConfirmed;
      verdict.trace_path = stored.trace;
      verdict.harmful = stored.harmful;
      verdict.consequences = stored.consequences;
    } else if (!result_.interrupted && !is_over()) {
      hooks_.progress(i, count, 0);
      if (auto done = confirm(verdict, i, count); !done) return done;
      store(verdict);
    } else {
      result_.out_of_time = !result_.interrupted;
      if (stored.runs > 0) {
        verdict.end = verdict.candidate.kind == Kind::kAtomicity && stored.happened > 0
                          ? Verdict::End::kHappened
                          : Verdict::End::kNotReproduced;
      }
    }
    result_.verdicts.push_back(std::move(verdict));
  }
  return {};
}

// What fails and was not predicted is in code that the runs watched did not get to, perhaps: more
// runs are watched then, and what is new is tried.
engine::Expected<void> ActiveTest::follow_surprises() {
  if (result_.failures.empty() || options_.report || result_.interrupted || is_over() ||
      !options_.may_watch_more || result_.watched_runs >= kMostWatched)
    return {};
  result_.watched_more = "a failure was met that had not been predicted";
  auto candidates = predict_from(kMostWatched);
  if (!candidates) return tl::unexpected(candidates.error());
  keep_failures(std::move(watched_failures_));
  std::set<std::string> known;
  for (const Verdict& verdict : result_.verdicts) known.insert(verdict.candidate.key());
  std::erase_if(*candidates,
                [&](const Candidate& candidate) { return known.contains(candidate.key()); });
  if (auto done = confirm_all(std::move(*candidates)); !done) return done;
  confirm_by_others();
  drop_told_failures();
  return {};
}

engine::Expected<ActiveResult> ActiveTest::run() {
  if (!options_.file.empty()) {
    if (auto checked = check_verdict_file(options_.file); !checked)
      return tl::unexpected(checked.error());
    auto stored = read_verdicts(options_.file, options_.explore.program_hash,
                                fmt::format("{}", fmt::join(options_.explore.program.argv, " ")));
    if (!stored) return tl::unexpected(stored.error());
    stored_ = std::move(*stored);
    recall();
  }
  auto candidates = predict();
  if (!candidates) return tl::unexpected(candidates.error());
  for (const Candidate& candidate : *candidates) {
    if (candidate.is_counted) of_failures_.add_counted_check(candidate.location);
  }
  keep_failures(std::move(watched_failures_));
  if (auto done = confirm_all(std::move(*candidates)); !done) return tl::unexpected(done.error());
  confirm_by_others();
  drop_told_failures();
  if (auto done = follow_surprises(); !done) return tl::unexpected(done.error());
  for (const Verdict& verdict : result_.verdicts) {
    if (verdict.end != Verdict::End::kConfirmed ||
        stored_.verdicts[verdict.candidate.key()].confirmed)
      continue;
    store(verdict);
  }
  recall_unpredicted();
  for (const engine::Finding& finding : result_.failures) remember(finding);
  for (const Verdict& verdict : result_.verdicts) {
    if (verdict.failure) remember(*verdict.failure);
  }
  keep_verdicts();
  return std::move(result_);
}

}  // namespace

bool ReportResult::is_of_program() const {
  return std::any_of(entries.begin(), entries.end(),
                     [](const EntryResult& entry) { return !entry.verdicts.empty(); });
}

engine::Expected<ActiveResult> test_actively(const ActiveOptions& options,
                                             engine::Symbolizer& symbolizer,
                                             const ActiveHooks& hooks) {
  return ActiveTest(options, symbolizer, hooks).run();
}

}  // namespace snag::active
