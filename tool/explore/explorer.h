// Searches for failures: starts as many fork servers as asked for, lets them run until the budget
// is used up or something fails, writes a trace of every distinct failure and replays it before it
// is reported.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tool/base/error.h"
#include "tool/base/process.h"
#include "tool/binary/symbolizer.h"
#include "tool/binary/variables/variables.h"
#include "tool/session/failed_run.h"
#include "tool/session/lock_orders.h"
#include "tool/session/session.h"
#include "tool/shrink/shrink.h"
#include "tool/suppress/suppressed.h"
#include "tool/suppress/suppressions.h"
#include "tool/trace/trace.h"

namespace snag::explore {

struct ExploreOptions {
  Program program;
  std::uint64_t program_hash = 0;
  StrategyKind strategy = StrategyKind::kMix;
  Points points = Points::kShared;
  Backend backend = Backend::kUser;
  Races races = Races::kOff;
  bool heap_checks = false;
  bool lock_misuse = true;  // is a failure
  bool lock_order = true;   // is looked at
  std::uint64_t seed = 0;
  std::uint64_t runs = 0;                // over all servers; 0: no limit
  std::chrono::duration<double> time{};  // 0: no limit
  std::uint64_t max_steps = 1'000'000;
  std::uint32_t pct_depth = 3;
  std::int32_t preemption_bound = -1;
  WantedPair wanted{};              // a run that covers it ends the search, as one that fails does
  std::vector<ModulePc> points_at;  // schedule points from the beginning on
  int cover_fd = 0;                 // of a CoverStore; 0: nothing is measured
  int watch_fd = 0;                 // of a WatchLog; 0: nothing is watched
  Directed directed{};              // for the strategies kActive and kAssert
  std::uint64_t first_run = 0;      // number of the first run
  bool keep_output = false;         // `is_enough` sees what the run wrote
  // With keep_going: a failure after which the search need not go on. It is a finding of its own
  // beside one that differs in nothing else, and stays so while it is shrunk.
  std::function<bool(const session::FailedRun&)> is_enough = [](const session::FailedRun&) {
    return false;
  };
  // A failure that was reported before: it is counted by whoever asked, and not kept.
  std::function<bool(const session::FailedRun&)> is_known = [](const session::FailedRun&) {
    return false;
  };
  int jobs = 1;
  bool keep_going = false;
  milliseconds hang_timeout{10'000};
  std::chrono::duration<double> shrink_time{};  // for all failures together; 0: do not shrink
  std::string trace_folder = "snag-traces";
  suppress::Suppressions suppressions;
};

// Sums over the servers, at any time.
struct Totals {
  std::uint64_t runs = 0;
  std::uint64_t failures = 0;
  std::uint64_t steps = 0;
  std::uint64_t distinct_orders = 0;
  std::uint32_t max_threads = 0;
  std::uint32_t points = 0;
  bool space_exhausted = false;
  bool bound_hit = false;
  std::array<std::uint64_t, static_cast<int>(Uncontrolled::kCount)> uncontrolled{};
  Backend backend = Backend::kUser;
  std::chrono::duration<double> elapsed{};

  // Every run ended where the program's event schedule could not be met: nothing was tested.
  bool met_no_schedule() const {
    return runs > 0 && uncontrolled[static_cast<int>(Uncontrolled::kUnmetSchedule)] >= runs;
  }
};

// One distinct failure.
struct Finding {
  session::FailedRun
      run;  // the replayed one once it is confirmed: it knows the callers of its steps
  trace::Trace trace;
  std::string trace_path;
  std::string output;             // the end of what the program wrote in the confirming replay
  std::string replay_problem;     // why it is not confirmed
  bool is_enough = false;         // as ExploreOptions::is_enough found
  std::uint64_t count = 1;        // how many runs failed this way
  std::uint64_t found_after = 0;  // runs of all servers when it was found
  std::uint64_t shrink_attempts = 0;
  std::chrono::duration<double> shrink_time{};
  bool confirmed() const { return trace.confirmed; }
};

// How near the runs came to what was to happen (DirectedProgress).
struct DirectedTotals {
  std::uint32_t arrived = 0, together = 0, happened = 0, given_up = 0;
};

struct ExploreResult {
  Totals totals;
  DirectedTotals directed;
  std::vector<Finding> findings;
  session::ModuleMap modules;  // of one of the servers
  std::vector<session::LockOrder>
      lock_orders;  // without those that led to a deadlock among the findings
  std::vector<suppress::Suppression> suppressions;  // with how often each of them fitted
  bool interrupted = false;
  std::optional<Error> error;  // what ended the search early; the rest is still true
};

struct ExploreHooks {
  std::function<void(const Totals&)> progress = [](const Totals&) {};  // some ten times a second
  std::function<bool()> should_stop = [] { return false; };
  std::function<void(const shrink::ShrinkProgress&)> shrinking = [](const shrink::ShrinkProgress&) {
  };
};

// Different failures beyond this are counted, but not kept.
inline constexpr std::size_t kMaxFindings = 100;

class Explorer {
 public:
  Explorer(ExploreOptions options, binary::Symbolizer& symbolizer, ExploreHooks hooks)
      : options_(std::move(options)), symbolizer_(symbolizer), hooks_(std::move(hooks)) {}

  ExploreResult explore();

 private:
  Expected<void> start_servers();
  bool work();                                 // one round over the servers; false when all is done
  bool on_failure(session::Session& session);  // false: stop the search
  void add_finding(session::FailedRun run, bool is_enough);
  bool is_suppressed(const session::FailedRun& run);
  std::string raced_variable(const session::FailedRun& run);
  void confirm(Finding& finding);
  bool replay_once(Finding& finding);  // true: it failed as the trace says
  void shrink_findings();
  void shrink_finding(Finding& finding, std::chrono::duration<double> time);
  void take_replayed_run(Finding& finding, session::FailedRun replayed);
  void collect_lock_orders();
  void collect_directed();
  Totals totals() const;
  bool out_of_time() const;

  ExploreOptions options_;
  binary::Symbolizer& symbolizer_;
  // For globals, which are found without the source.
  binary::Variables variables_{symbolizer_, [](const std::string&, int) { return std::string(); }};
  ExploreHooks hooks_;
  Clock::time_point begin_;
  std::vector<std::unique_ptr<session::Session>> sessions_;
  std::vector<bool> done_;
  std::vector<std::string> signatures_;  // of the findings
  suppress::Suppressions built_in_ = suppress::built_in_suppressions();
  ExploreResult result_;
};

// The same run, of which only its race counts. The run must have one.
session::FailedRun race_alone(session::FailedRun run);

// Equal for failures that a person would call the same: kind, detail, and where the threads
// concerned were.
std::string failure_signature(const session::FailedRun& run, binary::Symbolizer& symbolizer);

// Where a thread of a failure was, in the user's own code; an empty string if that is not known.
std::string access_place(const session::FailedRun& run, const AccessReport& access,
                         binary::Symbolizer& symbolizer);
std::string thread_place(const session::FailedRun& run, const ThreadReport& thread,
                         binary::Symbolizer& symbolizer);

// What is needed to execute the run again.
trace::Trace make_trace(const session::FailedRun& run, const ExploreOptions& options,
                        binary::Symbolizer& symbolizer);

}  // namespace snag::explore
