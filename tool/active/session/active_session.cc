#include "tool/active/session/active_session.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <set>

#include "tool/active/confirm/consequences.h"
#include "tool/active/session/prediction.h"
#include "tool/active/session/test_in_progress.h"

namespace snag::active {
namespace {

// A candidate of atomicity that has happened so often without consequences is not tried further.
constexpr std::uint32_t kHarmlessTimes = 12;
// Where the runs watched tell too little, so many are.
constexpr std::uint64_t kMostWatched = 10;
// Of failures that were not predicted so many are watched.
constexpr std::size_t kMostReplayed = 5;
// Verdicts are written in at most a tenth of the time.
constexpr int kShareOfWriting = 9;

}  // namespace

explore::ExploreHooks ActiveTest::explore_hooks(std::size_t number, std::size_t count) {
  explore::ExploreHooks hooks;
  hooks.progress = [this, number, count](const explore::Totals& totals) {
    hooks_.progress(number, count, totals.runs);
  };
  hooks.should_stop = hooks_.should_stop;
  return hooks;
}

void ActiveTest::warn(const std::string& text) {
  std::vector<std::string>& warnings = result_.warnings;
  if (std::find(warnings.begin(), warnings.end(), text) == warnings.end()) warnings.push_back(text);
}

// What was found out is shown all the same if there is no room for it. With thousands of candidates
// to write takes longer than to try one: then it waits for more of them.
void ActiveTest::keep_verdicts(Keep when) {
  const auto begin = Clock::now();
  if (options_.file.empty() || (when == Keep::kSoon && begin < next_writing_)) return;
  if (auto written = write_verdicts(options_.file, stored_); !written)
    warn(fmt::format("the verdicts are not kept for the next call: {}", written.error().message));
  const auto end = Clock::now();
  next_writing_ = end + kShareOfWriting * (end - begin);
}

// Nothing has no limit: what is left is never nothing.
std::chrono::duration<double> ActiveTest::time_left() const {
  std::chrono::duration<double> time = options_.explore.time;
  if (time.count() == 0) return time;
  time -= Clock::now() - begin_;
  return std::max(time, std::chrono::duration<double>(0.001));
}

// A run that fails is over early: what would have come then is not predicted.
Expected<std::vector<Candidate>> ActiveTest::predict() {
  auto candidates = predict_from(options_.watched_runs);
  if (!candidates || !options_.may_watch_more || result_.interrupted || is_over())
    return candidates;
  std::uint64_t early = 0;
  for (const explore::Finding& finding : watched_failures_) {
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

Expected<std::vector<Candidate>> ActiveTest::predict_from(std::uint64_t runs) {
  auto prediction =
      predict_from_runs(options_, runs, time_left(), symbolizer_, explore_hooks(0, 0));
  if (!prediction) return tl::unexpected(prediction.error());
  if (prediction->problem) warn(prediction->problem->message);
  std::move(prediction->failures.begin(), prediction->failures.end(),
            std::back_inserter(watched_failures_));
  result_.watched_runs = prediction->runs;
  result_.interrupted = prediction->interrupted;
  result_.accesses = prediction->accesses;
  result_.left_out = prediction->left_out;
  result_.has_threads |= prediction->has_threads;
  result_.lacks_debug_info = prediction->lacks_debug_info;
  result_.report = std::move(prediction->report);
  return std::move(prediction->candidates);
}

// What an earlier call has confirmed may have been predicted from the run in which it failed.
std::vector<Candidate> ActiveTest::predict_as_before(const std::vector<Candidate>& predicted) {
  std::set<std::string> keys, traces;
  for (const Candidate& candidate : predicted) keys.insert(candidate.key());
  std::vector<Candidate> all;
  for (const auto& [key, verdict] : stored_.verdicts) {
    if (!verdict.confirmed || keys.contains(key) || traces.size() == kMostReplayed ||
        !traces.insert(verdict.trace).second)
      continue;
    const auto trace = trace::read_trace(verdict.trace);
    if (!trace || trace->program_hash != options_.explore.program_hash) continue;
    for (Candidate& candidate : predict_from_failure(options_, *trace, symbolizer_, hooks_)) {
      if (keys.insert(candidate.key()).second) all.push_back(std::move(candidate));
    }
  }
  return all;
}

Expected<void> ActiveTest::find_consequences(Verdict& verdict, const ConfirmOptions& options) {
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
  options.comes_anyway = [this](const session::FailedRun& run) { return serial_.contain(run); };
  options.is_known = [this](const session::FailedRun& run) {
    const std::string signature = signature_of(run);
    met_.insert(signature);
    return confirmed_.contains(signature) || signatures_.contains(signature);
  };
  return options;
}

Expected<void> ActiveTest::confirm(Verdict& verdict, std::size_t number, std::size_t count) {
  const Candidate& candidate = verdict.candidate;
  ConfirmOptions options = confirm_options(number);
  options.explore.first_run = verdict.earlier_runs;
  if (candidate.kind == Kind::kAtomicity)
    options.explore.runs = std::min<std::uint64_t>(options.explore.runs, kHarmlessTimes);
  std::uint64_t left = options_.explore.runs;
  for (;;) {
    options.explore.time = time_left();
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
    if (is_over()) break;
    if (candidate.kind == Kind::kAtomicity && verdict.reached.happened >= kHarmlessTimes / 2) break;
    options.explore.first_run += attempt->runs;
    options.explore.runs = left;
  }
  if (verdict.end == Verdict::End::kNotReproduced && candidate.kind == Kind::kAtomicity &&
      verdict.reached.happened > 0)
    verdict.end = Verdict::End::kHappened;
  if (verdict.end == Verdict::End::kNotReproduced && verdict.runs == 0)
    verdict.end = Verdict::End::kNotTried;
  options.explore.time = {};
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
      verdict.is_explained,
      verdict.runs,
      verdict.reached.arrived,
      verdict.reached.together,
      verdict.reached.happened,
      verdict.trace_path,
      verdict.consequences,
      verdict.finding ? signature_of(verdict.finding->run) : std::string()};
  keep_verdicts(verdict.end == Verdict::End::kConfirmed ? Keep::kNow : Keep::kSoon);
}

Expected<void> ActiveTest::confirm_all(std::vector<Candidate> candidates) {
  const std::size_t before = result_.verdicts.size(), count = before + candidates.size();
  for (std::size_t i = before; i < count; ++i) {
    Verdict verdict;
    verdict.candidate = std::move(candidates[i - before]);
    const auto known = stored_.verdicts.find(verdict.candidate.key());
    const StoredVerdict stored = known != stored_.verdicts.end() ? known->second : StoredVerdict{};
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
    } else if (stored.explained) {
      verdict.end = Verdict::End::kHappened;
      verdict.is_explained = true;
    } else if (!result_.interrupted && !is_over()) {
      hooks_.progress(i, count, 0);
      if (auto done = confirm(verdict, i, count); !done) return done;
      if (verdict.end != Verdict::End::kNotTried) store(verdict);
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
// runs are watched then, those of the failures among them, and what is new is tried.
Expected<void> ActiveTest::follow_surprises() {
  if (result_.failures.empty() || options_.report || result_.interrupted || is_over() ||
      !options_.may_watch_more)
    return {};
  std::vector<Candidate> candidates;
  for (std::size_t i = 0; i < result_.failures.size() && i < kMostReplayed; ++i) {
    auto more = predict_from_failure(options_, result_.failures[i].trace, symbolizer_, hooks_);
    std::move(more.begin(), more.end(), std::back_inserter(candidates));
  }
  if (result_.watched_runs < kMostWatched) {
    result_.watched_more = "a failure was met that had not been predicted";
    auto more = predict_from(kMostWatched);
    if (!more) return tl::unexpected(more.error());
    std::move(more->begin(), more->end(), std::back_inserter(candidates));
    keep_failures(std::move(watched_failures_));
  }
  std::set<std::string> known;
  for (const Verdict& verdict : result_.verdicts) known.insert(verdict.candidate.key());
  candidates = united(std::move(candidates));
  std::erase_if(candidates,
                [&](const Candidate& candidate) { return known.contains(candidate.key()); });
  if (auto done = confirm_all(std::move(candidates)); !done) return done;
  confirm_by_others();
  drop_told_failures();
  return {};
}

Expected<ActiveResult> ActiveTest::run() {
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
  if (!options_.report && options_.may_watch_more && !result_.interrupted) {
    auto more = predict_as_before(*candidates);
    std::move(more.begin(), more.end(), std::back_inserter(*candidates));
  }
  for (const Candidate& candidate : *candidates) {
    if (candidate.is_counted) of_failures_.add_counted_check(candidate.location);
  }
  keep_failures(std::move(watched_failures_));
  if (auto done = confirm_all(std::move(*candidates)); !done) return tl::unexpected(done.error());
  confirm_by_others();
  drop_told_failures();
  if (auto done = follow_surprises(); !done) return tl::unexpected(done.error());
  drop_explained();
  for (const Verdict& verdict : result_.verdicts) {
    if (verdict.end != Verdict::End::kConfirmed ||
        stored_.verdicts[verdict.candidate.key()].confirmed)
      continue;
    store(verdict);
  }
  recall_unpredicted();
  for (const explore::Finding& finding : result_.failures) remember(finding);
  for (const Verdict& verdict : result_.verdicts) {
    if (verdict.failure) remember(*verdict.failure);
  }
  keep_verdicts(Keep::kNow);
  return std::move(result_);
}

bool ReportResult::is_of_program() const {
  return std::any_of(entries.begin(), entries.end(),
                     [](const EntryResult& entry) { return !entry.verdicts.empty(); });
}

Expected<ActiveResult> test_actively(const ActiveOptions& options, binary::Symbolizer& symbolizer,
                                     const ActiveHooks& hooks) {
  return ActiveTest(options, symbolizer, hooks).run();
}

}  // namespace snag::active
