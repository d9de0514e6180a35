#include "active/active.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "active/debug_info.h"
#include "active/raced_variable.h"
#include "active/report_candidates.h"
#include "active/store.h"
#include "active/suppressed_candidate.h"

namespace snag::active {
namespace {

// A candidate of atomicity that has happened so often without consequences is not tried further.
constexpr std::uint32_t kHarmlessTimes = 12;

class ActiveTest {
 public:
  ActiveTest(const ActiveOptions& options, engine::Symbolizer& symbolizer, const ActiveHooks& hooks)
      : options_(options), symbolizer_(symbolizer), hooks_(hooks) {}

  engine::Expected<ActiveResult> run();

 private:
  engine::Expected<std::vector<Candidate>> watch();
  std::vector<Candidate> predict(const Observation& observation, PlaceNames& names);
  std::vector<Candidate> from_report(const Observation& observation, PlaceNames& names,
                                     const engine::ModuleMap& modules);
  engine::Expected<void> confirm_all(std::vector<Candidate> candidates);
  engine::Expected<void> confirm(Verdict& verdict, std::size_t number, std::size_t count);
  engine::Expected<void> find_consequences(Verdict& verdict, const ConfirmOptions& options);
  void take(Verdict& verdict, engine::Finding finding);
  void warn(const std::string& text);
  void keep_verdicts();
  void keep_failures(std::vector<engine::Finding> failures);
  engine::ExploreHooks explore_hooks(std::size_t number, std::size_t count);
  // One line may have races on several variables.
  std::string signature_of(const engine::FailedRun& run) {
    return engine::failure_signature(run, symbolizer_) + " " + raced_variable(run, symbolizer_);
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
  std::set<std::string> signatures_;              // of the failures
  std::map<std::string, std::string> confirmed_;  // traces by signature
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

// Several candidates may end in one failure: accesses that are close to each other do.
void ActiveTest::take(Verdict& verdict, engine::Finding finding) {
  const std::string signature = signature_of(finding.run);
  const auto [known, is_new] = confirmed_.try_emplace(signature, finding.trace_path);
  verdict.trace_path = known->second;
  verdict.is_repeated = !is_new;
  if (is_new)
    verdict.finding = std::move(finding);
  else if (!finding.trace_path.empty())
    std::filesystem::remove(finding.trace_path);
}

// One failure may be met on the way to many candidates.
void ActiveTest::keep_failures(std::vector<engine::Finding> failures) {
  for (engine::Finding& finding : failures) {
    const std::string signature = signature_of(finding.run);
    if (!confirmed_.contains(signature) && signatures_.insert(signature).second)
      result_.failures.push_back(std::move(finding));
    else if (!finding.trace_path.empty())
      std::filesystem::remove(finding.trace_path);
  }
}

engine::Expected<std::vector<Candidate>> ActiveTest::watch() {
  auto observation = Observation::create();
  if (!observation) return tl::unexpected(observation.error());
  engine::ExploreOptions explore = options_.explore;
  explore.strategy = StrategyKind::kRandom;
  explore.runs = options_.watched_runs;
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
  keep_failures(std::move(explored.findings));
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
                                               : predict(*observation, names);
  engine::Suppressions suppressions = options_.explore.suppressions;
  for (Candidate& candidate : all) {
    candidate.suppressed_by =
        suppression_of(candidate, explored.modules, symbolizer_, suppressions);
  }
  return all;
}

std::vector<Candidate> ActiveTest::predict(const Observation& observation, PlaceNames& names) {
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

engine::Expected<void> ActiveTest::confirm(Verdict& verdict, std::size_t number,
                                           std::size_t count) {
  const Candidate& candidate = verdict.candidate;
  ConfirmOptions options{options_.explore, options_.by_paper};
  options.explore.first_run = verdict.earlier_runs;
  options.explore.time = {};
  options.explore.seed += 1000 * (number + 1);
  if (candidate.kind == Kind::kAtomicity)
    options.explore.runs = std::min<std::uint64_t>(options.explore.runs, kHarmlessTimes);
  std::uint64_t left = options_.explore.runs;
  for (;;) {
    auto attempt = try_to_confirm(candidate, options, symbolizer_, explore_hooks(number, count));
    if (!attempt) return tl::unexpected(attempt.error());
    verdict.runs += attempt->runs;
    result_.runs += attempt->runs;
    left -= std::min(left, attempt->runs);
    verdict.reached.arrived |= attempt->reached.arrived;
    verdict.reached.together = std::max(verdict.reached.together, attempt->reached.together);
    verdict.reached.happened += attempt->reached.happened;
    verdict.reached.given_up += attempt->reached.given_up;
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
  if (!verdict.finding || candidate.kind != Kind::kRace) return {};
  if (verdict.finding->run.kind == FailureKind::kRace) return find_consequences(verdict, options);
  verdict.harmful = true;
  verdict.consequences = "harmful: the program uses memory that was given back";
  return {};
}

engine::Expected<void> ActiveTest::confirm_all(std::vector<Candidate> candidates) {
  const std::size_t count = candidates.size();
  for (std::size_t i = 0; i < count; ++i) {
    Verdict verdict;
    verdict.candidate = std::move(candidates[i]);
    const std::string key = verdict.candidate.key();
    StoredVerdict& stored = stored_.verdicts[key];
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
      stored = {verdict.end == Verdict::End::kConfirmed,
                verdict.harmful,
                verdict.runs,
                verdict.reached.arrived,
                verdict.reached.together,
                verdict.reached.happened,
                verdict.trace_path,
                verdict.consequences};
      keep_verdicts();
    } else {
      result_.out_of_time = !result_.interrupted;
      if (stored.runs > 0) verdict.end = Verdict::End::kNotReproduced;
    }
    result_.verdicts.push_back(std::move(verdict));
  }
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
  }
  auto candidates = watch();
  if (!candidates) return tl::unexpected(candidates.error());
  if (auto done = confirm_all(std::move(*candidates)); !done) return tl::unexpected(done.error());
  // What confirms a candidate is no other failure.
  for (const Verdict& verdict : result_.verdicts) {
    for (const auto* finding : {&verdict.finding, &verdict.failure}) {
      if (!*finding) continue;
      const std::string signature = signature_of((*finding)->run);
      std::erase_if(result_.failures, [&](const engine::Finding& other) {
        return signature_of(other.run) == signature;
      });
    }
  }
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
