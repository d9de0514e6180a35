#include "tool/explore/explorer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <set>

#include "protocol/damage.h"
#include "tool/explore/raced_variable.h"
#include "tool/session/signature.h"
#include "tool/suppress/suppressed.h"
#include "tool/trace/nondeterminism.h"
#include "tool/trace/replay.h"

namespace snag::explore {
namespace {

// How often the tool polls its servers and reports progress.
constexpr milliseconds kRound{100};
// Attempts in the last search for a simpler schedule: a second or two. `snag shrink` searches
// longer.
constexpr std::size_t kAutomaticSearchRuns = 3'000;
// Of the first run: test frameworks say at their beginning or end how many tests they ran.
constexpr std::size_t kFirstOutput = 1 << 20;
// The share of --time that confirming and shrinking may take after it is over: less than the
// promised tenth, because the report needs some time, too.
constexpr double kTimeAfterwards = 0.07;
constexpr std::chrono::duration<double> kLeastTimeAfterwards{1};

Config server_config(const ExploreOptions& options, int server) {
  const auto index = static_cast<std::uint64_t>(server);
  const auto stride = static_cast<std::uint64_t>(options.jobs);
  Config config{};
  config.settings = options.settings;
  config.first_run = options.first_run + index;
  config.run_stride = stride;
  config.max_runs = options.runs == 0 ? 0 : (options.runs - index + stride - 1) / stride;
  config.wanted = options.wanted;
  config.cover_fd = options.cover_fd;
  config.watch_fd = options.watch_fd;
  config.keep_output = options.keep_output ? 1 : 0;
  config.keep_first_output = server == 0 ? 1 : 0;
  config.directed = options.directed;
  return config;
}

}  // namespace

ExploreResult Explorer::explore() {
  begin_ = Clock::now();
  // A systematic search walks one tree, so it needs one server; and no server without a run.
  if (has_trait(options_.settings.strategy, kSystematic)) options_.jobs = 1;
  if (options_.runs != 0)
    options_.jobs = static_cast<int>(std::min<std::uint64_t>(options_.jobs, options_.runs));
  if (auto started = start_servers(); !started) {
    result_.error = started.error();
    return std::move(result_);
  }
  while (work()) {
    hooks_.progress(totals());
    if (hooks_.should_stop()) {
      result_.interrupted = true;
      break;
    }
    if (out_of_time()) {
      result_.out_of_time = true;
      break;
    }
    if (sessions_.size() == 1) {
      sessions_.front()->wait(kRound);
    } else {
      session::wait_for_any(sessions_, kRound);
    }
  }
  for (const auto& session : sessions_) session->quit();
  result_.totals = totals();
  for (const auto& session : sessions_) {
    if (!is_overwritten(session->shared()))
      result_.changed_files.add(session::copy_file_changes(session->shared()));
  }
  if (!sessions_.empty()) result_.first_output = sessions_.front()->output_tail(kFirstOutput);
  if (!sessions_.empty()) result_.modules = session::copy_modules(sessions_.front()->shared());
  collect_lock_orders();
  collect_late_wakeups();
  collect_directed();
  sessions_.clear();
  // With --keep-going they were confirmed one by one; now the whole machine is free for this.
  for (Finding& finding : result_.findings) {
    if (!finding.confirmed() && finding.replay_problem.empty()) confirm(finding);
  }
  shrink_findings();
  for (Finding& finding : result_.findings) {
    session::FailedRun& run = finding.run;
    if (run.race && run.kind != FailureKind::kRace && is_suppressed(session::race_alone(run)))
      run.race.reset();
  }
  result_.suppressions = options_.suppressions.entries();
  return std::move(result_);
}

Expected<void> Explorer::start_servers() {
  for (int i = 0; i < options_.jobs; ++i) {
    session::SessionOptions session_options;
    session_options.config = server_config(options_, i);
    session_options.points = options_.points_at;
    auto session = session::Session::start(options_.program, session_options);
    if (!session) return tl::unexpected(session.error());
    sessions_.push_back(std::move(*session));
  }
  done_.assign(sessions_.size(), false);
  return {};
}

bool Explorer::work() {
  for (std::size_t i = 0; i < sessions_.size(); ++i) {
    if (done_[i]) continue;
    switch (sessions_[i]->poll()) {
      case session::Event::kNone:
      case session::Event::kQuestion:
      case session::Event::kAwaiting:
        break;
      case session::Event::kFinished:
        done_[i] = true;
        break;
      case session::Event::kDied:
        result_.error = sessions_[i]->error();
        return false;
      case session::Event::kFailed:
        if (!on_failure(*sessions_[i])) return false;
        break;
    }
  }
  return std::find(done_.begin(), done_.end(), false) != done_.end();
}

bool Explorer::on_failure(session::Session& session) {
  // The race of a run that failed in another way is a finding of its own.
  session::FailedRun run =
      session::copy_failed_run(session.shared(), session::CopyDepth::kEverything);
  if (options_.keep_output) run.output = session.new_output_tail(trace::kOutputTail);
  if (run.race && run.kind != FailureKind::kRace) add_finding(session::race_alone(run), false);
  const bool suppressed = is_suppressed(run);
  const bool is_enough = !suppressed && options_.is_enough(run);
  const bool goes_on =
      (options_.keep_going && !is_enough) || suppressed ||
      (run.kind == FailureKind::kRace && options_.settings.races == Races::kReport);
  if (!suppressed && !options_.is_known(run)) add_finding(std::move(run), is_enough);
  if (!goes_on || result_.error) return false;
  session.resume();
  return true;
}

bool Explorer::is_suppressed(const session::FailedRun& run) {
  return suppress::find_suppression(run, symbolizer_, built_in_) != nullptr ||
         suppress::find_suppression(run, symbolizer_, options_.suppressions) != nullptr;
}

void Explorer::add_finding(session::FailedRun run, bool is_enough) {
  std::string signature = session::failure_signature(run, symbolizer_);
  // One line may have several races, on different variables.
  if (const auto variable = raced_variable(run, variables_)) signature += " on " + variable->part;
  if (is_enough) signature += " as wanted";
  const RacedPart part = groups_.part_of(run);
  for (std::size_t i = 0; i < signatures_.size(); ++i) {
    if (signatures_[i] != signature || !parts_[i].may_be(part)) continue;
    ++result_.findings[i].count;
    return;
  }
  const std::size_t group = groups_.group_of(run);
  if (!is_enough && !has_room(run, group, signature)) return;
  Finding finding;
  finding.group = group;
  finding.trace = make_trace(run, options_, symbolizer_);
  finding.run = std::move(run);
  finding.is_enough = is_enough;
  finding.found_after = totals().runs;
  // Write it to disk before anything else: it must not be lost.
  if (auto path = trace::write_new_trace(options_.trace_folder, finding.trace)) {
    finding.trace_path = *path;
  } else {
    result_.error = path.error();
  }
  if (options_.keep_going || finding.run.kind == FailureKind::kRace) confirm(finding);
  // Only the replay knows the callers of the earlier access of a race.
  if (finding.run.kind == FailureKind::kRace && is_suppressed(finding.run)) {
    if (!finding.trace_path.empty()) std::remove(finding.trace_path.c_str());
    return;
  }
  signatures_.push_back(signature);
  parts_.push_back(part);
  result_.findings.push_back(std::move(finding));
}

bool Explorer::has_room(const session::FailedRun& run, std::size_t group,
                        const std::string& signature) {
  std::set<std::size_t> kept;
  Finding* first = nullptr;
  std::size_t places = 0;
  for (Finding& finding : result_.findings) {
    kept.insert(finding.group);
    if (finding.group != group) continue;
    if (first == nullptr) first = &finding;
    ++places;
  }
  if (first == nullptr) return kept.size() < kMaxFailures;
  if (places < kMaxPlacesOfRace && result_.findings.size() < kMaxFindings) return true;
  if (left_out_.insert(signature).second && !is_suppressed(run)) ++first->left_out;
  return false;
}

// Twice: once could be chance.
void Explorer::confirm(Finding& finding) {
  if (!replay_once(finding) || !replay_once(finding)) return;
  finding.trace.confirmed = true;
  if (trace::has_frames(finding.trace))
    finding.trace.switches = trace::find_switches(finding.run, symbolizer_);
  if (finding.trace_path.empty()) return;
  if (auto written = trace::rewrite_trace(finding.trace_path, finding.trace); !written) {
    result_.error = written.error();
  }
}

bool Explorer::replay_once(Finding& finding) {
  trace::ReplayOptions replay_options;
  replay_options.should_stop = [this] { return should_hurry(); };
  auto replayed = trace::replay_exactly(finding.trace, replay_options);
  if (!replayed) {
    finding.replay_problem = replayed.error().message;
    return false;
  }
  finding.output = replayed->output;
  // The run that found a race went on to its end; the replay stops at the race.
  const bool race_of_whole_run = finding.trace.failure.kind == FailureKind::kRace &&
                                 finding.run.steps.size() >= finding.trace.steps &&
                                 finding.run.frames.empty();
  if (replayed->end == trace::ReplayEnd::kIdentical ||
      (replayed->end == trace::ReplayEnd::kSameFailure && race_of_whole_run)) {
    take_replayed_run(finding, std::move(*replayed->run));
    return true;
  }
  finding.replay_problem = replayed->end == trace::ReplayEnd::kInterrupted && !hooks_.should_stop()
                               ? "--time left no time to replay it: try snag replay"
                               : trace::explain_difference(finding.run, *replayed, symbolizer_);
  return false;
}

void Explorer::shrink_findings() {
  const auto wanted =
      Clock::now() + std::chrono::duration_cast<Clock::duration>(options_.shrink_time);
  const auto end = std::min(wanted, last_moment());
  const std::vector<std::size_t> shown = shown_in_full(result_.findings);
  std::size_t left = shown.size();
  for (const std::size_t number : shown) {
    Finding& finding = result_.findings[number];
    // The other findings get the time that one does not need.
    const std::chrono::duration<double> time = (end - Clock::now()) / static_cast<double>(left--);
    if (time.count() <= 0 || hooks_.should_stop()) return;
    if (finding.confirmed() && !finding.trace_path.empty()) shrink_finding(finding, time);
  }
}

void Explorer::shrink_finding(Finding& finding, std::chrono::duration<double> time) {
  shrink::ShrinkOptions shrink_options;
  shrink_options.time = time;
  shrink_options.search_runs = kAutomaticSearchRuns;
  if (finding.is_enough) shrink_options.keeps = options_.is_enough;
  shrink_options.keep_output = options_.keep_output;
  shrink_options.should_stop = [this] { return should_hurry(); };
  shrink_options.progress = hooks_.shrinking;
  auto shrunk = shrink::shrink(finding.trace, finding.run, symbolizer_, shrink_options);
  // If there is no simpler schedule, keep the one that was found.
  if (!shrunk) return;
  finding.shrink_attempts = shrunk->attempts;
  finding.shrink_time = shrunk->seconds;
  if (!shrunk->shrunk) return;
  if (auto written = trace::rewrite_trace(finding.trace_path, shrunk->trace); !written) {
    result_.error = written.error();
    return;
  }
  take_replayed_run(finding, std::move(shrunk->run));
  finding.trace = std::move(shrunk->trace);
  finding.output = std::move(shrunk->output);
}

void Explorer::take_replayed_run(Finding& finding, session::FailedRun replayed) {
  // Keep the number and seed of the run that found the failure: the replay has others. Its server
  // does not know what earlier runs of the search did to files, either.
  replayed.used_changes = std::move(finding.run.used_changes);
  replayed.number = finding.run.number;
  replayed.seed = finding.run.seed;
  replayed.strategy = finding.run.strategy;
  finding.run = std::move(replayed);
  if (finding.trace.failure.kind == FailureKind::kRace) {
    trace::Trace trace = make_trace(finding.run, options_, symbolizer_);
    trace.points = std::move(finding.trace.points);
    finding.trace = std::move(trace);
  }
}

void Explorer::collect_lock_orders() {
  std::set<std::string> known;
  for (const auto& session : sessions_) {
    for (session::LockOrder& order : session::copy_lock_orders(session->shared())) {
      const bool happened = std::any_of(
          result_.findings.begin(), result_.findings.end(), [&](const Finding& finding) {
            return session::is_deadlock_of(order, finding.run, symbolizer_);
          });
      if (happened || !known.insert(session::lock_order_places(order, symbolizer_)).second)
        continue;
      if (suppress::find_suppression(order, symbolizer_, options_.suppressions) == nullptr)
        result_.lock_orders.push_back(std::move(order));
    }
  }
}

void Explorer::collect_late_wakeups() {
  std::set<std::string> known;
  for (const auto& session : sessions_) {
    for (session::LateWakeup& late : session::copy_late_wakeups(session->shared())) {
      if (known.insert(session::late_wakeup_places(late, symbolizer_)).second &&
          suppress::find_suppression(late, symbolizer_, options_.suppressions) == nullptr)
        result_.late_wakeups.push_back(std::move(late));
    }
  }
}

void Explorer::collect_directed() {
  for (const auto& session : sessions_) {
    const DirectedProgress& progress = session->shared().live.directed;
    DirectedTotals& sum = result_.directed;
    sum.arrived |= progress.arrived.load();
    sum.together = std::max(sum.together, progress.together.load());
    sum.happened += progress.happened.load();
    sum.given_up += progress.given_up.load();
  }
}

bool Explorer::out_of_time() const {
  return options_.time.count() > 0 && Clock::now() - begin_ >= options_.time;
}

Clock::time_point Explorer::last_moment() const {
  if (options_.time.count() <= 0) return Clock::time_point::max();
  const auto share = std::max(options_.time * kTimeAfterwards, kLeastTimeAfterwards);
  return begin_ + std::chrono::duration_cast<Clock::duration>(options_.time + share);
}

bool Explorer::should_hurry() const {
  return hooks_.should_stop() || Clock::now() >= last_moment();
}

Totals Explorer::totals() const {
  Totals sum;
  sum.elapsed = Clock::now() - begin_;
  sum.space_exhausted = !sessions_.empty();
  for (const auto& session : sessions_) {
    if (is_overwritten(session->shared())) {
      sum.space_exhausted = false;
      continue;
    }
    const Live& live = session->shared().live;
    sum.runs += live.runs.load();
    sum.failures += live.failures.load();
    sum.cut_runs += live.cut_runs.load();
    sum.steps += live.total_steps.load();
    sum.distinct_orders += live.distinct_orders.load();
    sum.max_threads = std::max(sum.max_threads, live.max_threads.load());
    sum.points = std::max(sum.points, live.point_count.load());
    sum.space_exhausted = sum.space_exhausted && live.space_exhausted.load() != 0;
    sum.bound_hit = sum.bound_hit || live.bound_hit.load() != 0;
    for (std::size_t i = 0; i < sum.uncontrolled.size(); ++i) {
      sum.uncontrolled[i] += live.uncontrolled[i].load();
    }
    sum.backend = live.backend;
    sum.snapshot = live.snapshot;
    sum.leaves_temporary_files = live.leaves_temporary_files;
    sum.refused_rename = sum.refused_rename || live.refused_rename.load() != 0;
  }
  return sum;
}

}  // namespace snag::explore
