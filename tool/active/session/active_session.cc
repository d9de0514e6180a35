#include "tool/active/session/active_session.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <set>

#include "tool/active/confirm/confirm_kinds.h"
#include "tool/active/confirm/consequences.h"
#include "tool/active/confirm/serial_failures.h"
#include "tool/active/session/failure_ledger.h"
#include "tool/active/session/prediction.h"
#include "tool/active/session/verdict_file.h"
#include "tool/trace/trace.h"

namespace snag::active {
namespace {

// Enough times for an interleaving to happen without a failure: then it is not tried further.
constexpr std::uint32_t kHarmlessTimes = 12;
// How many runs to watch if the first ones show too little.
constexpr std::uint64_t kMostWatched = 10;
// How many failures that no candidate predicted are replayed to be watched.
constexpr std::size_t kMostReplayed = 5;
// Writing verdicts takes at most a tenth of the time: after each write, wait nine times as long.
constexpr int kWritingPause = 9;

class ActiveSession {
 public:
  ActiveSession(const ActiveOptions& options, binary::Symbolizer& symbolizer,
                const ActiveHooks& hooks)
      : options_(options), symbolizer_(symbolizer), hooks_(hooks) {}

  Expected<ActiveResult> run();

 private:
  Expected<void> read_stored();
  Expected<std::vector<Candidate>> predict();
  Expected<std::vector<Candidate>> predict_from(std::uint64_t runs);
  std::vector<Candidate> predict_as_before(const std::vector<Candidate>& predicted);
  Expected<void> confirm_all(std::vector<Candidate> candidates);
  void recall(Verdict& verdict, const StoredVerdict& stored) const;
  Expected<void> follow_surprises();
  Expected<void> confirm(Verdict& verdict, std::size_t number, std::size_t count);
  void add_attempt(Verdict& verdict, Attempt& attempt);
  Expected<void> find_consequences(Verdict& verdict, const ConfirmOptions& options);
  ConfirmOptions confirm_options(std::uint64_t number);
  void store(const Verdict& verdict);
  void warn(const std::string& text);
  enum class Keep { kNow, kSoon };
  void keep_verdicts(Keep when);
  std::chrono::duration<double> time_left() const;
  explore::ExploreHooks explore_hooks(std::size_t number, std::size_t count);
  bool is_over() const {
    const auto time = options_.explore.time;
    return time.count() > 0 && Clock::now() - begin_ >= time;
  }

  const ActiveOptions& options_;
  binary::Symbolizer& symbolizer_;
  const ActiveHooks& hooks_;
  Clock::time_point begin_ = Clock::now();
  Clock::time_point next_writing_ = begin_;
  Stored stored_;
  Signatures signatures_{symbolizer_};
  SerialFailures serial_{options_.explore, signatures_, symbolizer_, hooks_.should_stop};
  std::vector<explore::Finding> watched_failures_;
  ActiveResult result_;
  FailureLedger ledger_{result_, stored_, signatures_, symbolizer_,
                        [this](const session::FailedRun& run) { return serial_.contain(run); }};
};

explore::ExploreHooks ActiveSession::explore_hooks(std::size_t number, std::size_t count) {
  explore::ExploreHooks hooks;
  hooks.progress = [this, number, count](const explore::Totals& totals) {
    hooks_.progress(number, count, totals.runs);
  };
  hooks.should_stop = hooks_.should_stop;
  return hooks;
}

void ActiveSession::warn(const std::string& text) {
  std::vector<std::string>& warnings = result_.warnings;
  if (std::find(warnings.begin(), warnings.end(), text) == warnings.end()) warnings.push_back(text);
}

// A file that cannot be written is only a warning: the report still shows the verdicts. With
// thousands of candidates, writing takes longer than trying one, so most calls wait.
void ActiveSession::keep_verdicts(Keep when) {
  const auto begin = Clock::now();
  if (options_.file.empty() || (when == Keep::kSoon && begin < next_writing_)) return;
  if (auto written = write_verdicts(options_.file, stored_); !written)
    warn(fmt::format("the verdicts are not kept for the next call: {}", written.error().message));
  const auto end = Clock::now();
  next_writing_ = end + kWritingPause * (end - begin);
}

// 0 means "no limit", so a time that is used up is never 0.
std::chrono::duration<double> ActiveSession::time_left() const {
  std::chrono::duration<double> time = options_.explore.time;
  if (time.count() == 0) return time;
  time -= Clock::now() - begin_;
  return std::max(time, std::chrono::duration<double>(0.001));
}

// A run that fails ends early, and nothing is predicted from the part that it did not reach. So
// watch more runs if some of them failed.
Expected<std::vector<Candidate>> ActiveSession::predict() {
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

Expected<std::vector<Candidate>> ActiveSession::predict_from(std::uint64_t runs) {
  auto prediction =
      predict_from_runs(options_, runs, time_left(), symbolizer_, explore_hooks(0, 0));
  if (!prediction) return tl::unexpected(prediction.error());
  if (prediction->problem) warn(prediction->problem->message);
  std::move(prediction->failures.begin(), prediction->failures.end(),
            std::back_inserter(watched_failures_));
  result_.watched_runs = prediction->runs;
  // The interrupt may also come when the last of these runs has just ended.
  result_.interrupted = prediction->interrupted || hooks_.should_stop();
  result_.accesses = prediction->accesses;
  result_.left_out = prediction->left_out;
  result_.has_threads |= prediction->has_threads;
  result_.lacks_debug_info = prediction->lacks_debug_info;
  result_.report = std::move(prediction->report);
  return std::move(prediction->candidates);
}

// An earlier call may have predicted a candidate from the run in which it failed. Replays these
// runs to predict the same again.
std::vector<Candidate> ActiveSession::predict_as_before(const std::vector<Candidate>& predicted) {
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

Expected<void> ActiveSession::find_consequences(Verdict& verdict, const ConfirmOptions& options) {
  auto consequences = consequences_of(verdict.candidate, options, symbolizer_, explore_hooks(0, 0));
  if (!consequences) return tl::unexpected(consequences.error());
  verdict.harmful = consequences->harmful;
  verdict.consequences = consequences->text;
  verdict.failure = std::move(consequences->failure);
  return {};
}

ConfirmOptions ActiveSession::confirm_options(std::uint64_t number) {
  ConfirmOptions options{options_.explore, options_.use_breakpoints};
  options.explore.time = {};
  // Far from the seeds that users increment by hand.
  options.explore.settings.seed += 1000 * (number + 1);
  options.explore.keep_output = signatures_.need_output();
  options.comes_anyway = [this](const session::FailedRun& run) { return serial_.contain(run); };
  options.is_known = [this](const session::FailedRun& run) { return ledger_.is_known(run); };
  return options;
}

void ActiveSession::add_attempt(Verdict& verdict, Attempt& attempt) {
  if (attempt.confirmed) attempt.confirmed->found_after += verdict.runs;
  verdict.runs += attempt.runs;
  result_.runs += attempt.runs;
  verdict.reached.arrived |= attempt.reached.arrived;
  verdict.reached.together = std::max(verdict.reached.together, attempt.reached.together);
  verdict.reached.happened += attempt.reached.happened;
  verdict.reached.given_up += attempt.reached.given_up;
  verdict.obstacles.failures += attempt.obstacles.failures;
  if (!attempt.obstacles.replay_problem.empty())
    verdict.obstacles.replay_problem = std::move(attempt.obstacles.replay_problem);
  verdict.end = Verdict::End::kNotReproduced;
  ledger_.keep_failures(std::move(attempt.others));
  if (attempt.error) warn(attempt.error->message);
  if (attempt.confirmed) {
    verdict.end = Verdict::End::kConfirmed;
    ledger_.take(verdict, std::move(*attempt.confirmed));
  } else if (attempt.suppressed) {
    verdict.end = Verdict::End::kSuppressed;
  }
}

Expected<void> ActiveSession::confirm(Verdict& verdict, std::size_t number, std::size_t count) {
  const Candidate& candidate = verdict.candidate;
  ConfirmOptions options = confirm_options(number);
  options.explore.first_run = verdict.earlier_runs;
  const bool needs_failure = row_of(candidate.kind).has(kNeedsFailure);
  if (needs_failure)
    options.explore.runs = std::min<std::uint64_t>(options.explore.runs, kHarmlessTimes);
  std::uint64_t left = options_.explore.runs;
  for (;;) {
    options.explore.time = time_left();
    auto attempt = try_to_confirm(candidate, options, symbolizer_, explore_hooks(number, count));
    if (!attempt) return tl::unexpected(attempt.error());
    left -= std::min(left, attempt->runs);
    add_attempt(verdict, *attempt);
    if (verdict.end == Verdict::End::kSuppressed) break;
    result_.interrupted = attempt->interrupted;
    if (attempt->confirmed || attempt->interrupted || left == 0 || attempt->runs == 0) break;
    if (is_over()) break;
    if (needs_failure && verdict.reached.happened >= kHarmlessTimes / 2) break;
    options.explore.first_run += attempt->runs;
    options.explore.runs = left;
  }
  if (verdict.end == Verdict::End::kNotReproduced && needs_failure && verdict.reached.happened > 0)
    verdict.end = Verdict::End::kHappened;
  if (verdict.end == Verdict::End::kNotReproduced && verdict.runs == 0)
    verdict.end = Verdict::End::kNotTried;
  options.explore.time = {};
  if (!verdict.finding || candidate.kind != Kind::kRace) return {};
  if (verdict.finding->run.kind == FailureKind::kRace) return find_consequences(verdict, options);
  verdict.harmful = true;
  verdict.consequences = kUsesFreedMemory;
  return {};
}

void ActiveSession::store(const Verdict& verdict) {
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
      verdict.finding ? ledger_.signature_of(verdict.finding->run) : std::string()};
  keep_verdicts(verdict.end == Verdict::End::kConfirmed ? Keep::kNow : Keep::kSoon);
}

// Takes over what earlier calls found out about the candidate.
void ActiveSession::recall(Verdict& verdict, const StoredVerdict& stored) const {
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
  }
}

Expected<void> ActiveSession::confirm_all(std::vector<Candidate> candidates) {
  const std::size_t before = result_.verdicts.size(), count = before + candidates.size();
  for (std::size_t i = before; i < count; ++i) {
    Verdict verdict;
    verdict.candidate = std::move(candidates[i - before]);
    const auto known = stored_.verdicts.find(verdict.candidate.key());
    const StoredVerdict stored = known != stored_.verdicts.end() ? known->second : StoredVerdict{};
    recall(verdict, stored);
    if (verdict.end != Verdict::End::kNotTried) {
      // Already known.
    } else if (!result_.interrupted && !is_over()) {
      hooks_.progress(i, count, 0);
      if (auto done = confirm(verdict, i, count); !done) return done;
      if (verdict.end != Verdict::End::kNotTried) store(verdict);
    } else {
      result_.out_of_time = !result_.interrupted;
      if (stored.runs > 0) {
        const bool needs_failure = row_of(verdict.candidate.kind).has(kNeedsFailure);
        verdict.end = needs_failure && stored.happened > 0 ? Verdict::End::kHappened
                                                           : Verdict::End::kNotReproduced;
      }
    }
    result_.verdicts.push_back(std::move(verdict));
  }
  return {};
}

// A failure that was not predicted may be in code that no watched run reached. Watches more runs,
// including replays of such failures, and tries the new candidates.
Expected<void> ActiveSession::follow_surprises() {
  if (result_.failures.empty() || options_.report || result_.interrupted || is_over() ||
      !options_.may_watch_more)
    return {};
  std::vector<Candidate> candidates;
  for (std::size_t i = 0; i < result_.failures.size() && i < kMostReplayed; ++i) {
    auto more = predict_from_failure(options_, result_.failures[i].trace, symbolizer_, hooks_);
    std::move(more.begin(), more.end(), std::back_inserter(candidates));
  }
  if (result_.watched_runs < kMostWatched) {
    result_.watched_more = "a failure was found that had not been predicted";
    auto more = predict_from(kMostWatched);
    if (!more) return tl::unexpected(more.error());
    std::move(more->begin(), more->end(), std::back_inserter(candidates));
    ledger_.keep_failures(std::move(watched_failures_));
  }
  std::set<std::string> known;
  for (const Verdict& verdict : result_.verdicts) known.insert(verdict.candidate.key());
  candidates = united(std::move(candidates));
  std::erase_if(candidates,
                [&](const Candidate& candidate) { return known.contains(candidate.key()); });
  if (auto done = confirm_all(std::move(candidates)); !done) return done;
  ledger_.confirm_by_others();
  ledger_.drop_confirming_failures();
  for (const Verdict* changed : ledger_.attach_uses_of_freed_memory()) store(*changed);
  return {};
}

Expected<void> ActiveSession::read_stored() {
  if (options_.file.empty()) return {};
  if (auto checked = check_verdict_file(options_.file); !checked) return checked;
  auto stored = read_verdicts(options_.file, options_.explore.program_hash,
                              fmt::format("{}", fmt::join(options_.explore.program.argv, " ")));
  if (!stored) return tl::unexpected(stored.error());
  stored_ = std::move(*stored);
  ledger_.recall();
  return {};
}

Expected<ActiveResult> ActiveSession::run() {
  if (auto read = read_stored(); !read) return tl::unexpected(read.error());
  auto candidates = predict();
  if (!candidates) return tl::unexpected(candidates.error());
  if (!options_.report && options_.may_watch_more && !result_.interrupted) {
    auto more = predict_as_before(*candidates);
    std::move(more.begin(), more.end(), std::back_inserter(*candidates));
  }
  for (const Candidate& candidate : *candidates) {
    if (candidate.is_counted) signatures_.add_counted_check(candidate.location);
  }
  ledger_.keep_failures(std::move(watched_failures_));
  if (auto done = confirm_all(std::move(*candidates)); !done) return tl::unexpected(done.error());
  ledger_.confirm_by_others();
  ledger_.drop_confirming_failures();
  for (const Verdict* changed : ledger_.attach_uses_of_freed_memory()) store(*changed);
  if (auto done = follow_surprises(); !done) return tl::unexpected(done.error());
  for (const Verdict* changed : ledger_.drop_explained()) store(*changed);
  for (const Verdict& verdict : result_.verdicts) {
    if (verdict.end != Verdict::End::kConfirmed ||
        stored_.verdicts[verdict.candidate.key()].confirmed)
      continue;
    store(verdict);
  }
  ledger_.recall_unpredicted();
  for (const explore::Finding& finding : result_.failures) ledger_.remember(finding);
  for (const Verdict& verdict : result_.verdicts) {
    if (verdict.failure) ledger_.remember(*verdict.failure);
    for (const explore::Finding& use : verdict.more_uses) ledger_.remember(use);
  }
  keep_verdicts(Keep::kNow);
  return std::move(result_);
}

}  // namespace

Expected<ActiveResult> test_actively(const ActiveOptions& options, binary::Symbolizer& symbolizer,
                                     const ActiveHooks& hooks) {
  return ActiveSession(options, symbolizer, hooks).run();
}

}  // namespace snag::active
