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
#include <set>
#include <string>
#include <vector>

#include "tool/base/error.h"
#include "tool/base/process.h"
#include "tool/binary/symbolizer.h"
#include "tool/binary/variables/variables.h"
#include "tool/explore/explore_options.h"
#include "tool/explore/finding.h"
#include "tool/explore/race_groups.h"
#include "tool/session/failed_run.h"
#include "tool/session/late_wakeups.h"
#include "tool/session/lock_orders.h"
#include "tool/session/session.h"
#include "tool/shrink/shrink.h"
#include "tool/suppress/suppressed.h"
#include "tool/suppress/suppressions.h"
#include "tool/trace/trace.h"

namespace snag::explore {

// Sums over the servers, at any time.
struct Totals {
  std::uint64_t runs = 0;
  std::uint64_t failures = 0;
  std::uint64_t cut_runs = 0;  // took more steps than max_steps, and were not judged
  std::uint64_t steps = 0;
  std::uint64_t distinct_orders = 0;
  std::uint32_t max_threads = 0;
  std::uint32_t points = 0;
  bool space_exhausted = false;
  bool bound_hit = false;
  std::array<std::uint64_t, static_cast<int>(Uncontrolled::kCount)> uncontrolled{};
  CwdSnapshot snapshot = CwdSnapshot::kOff;  // as the system allowed it
  Backend backend = Backend::kUser;
  bool leaves_temporary_files = false;  // of the snapshot: see Live
  bool refused_rename = false;
  std::chrono::duration<double> elapsed{};

  bool judged_no_run() const { return runs > 0 && cut_runs >= runs; }

  // Every run ended where the program's event schedule could not be satisfied: nothing was tested.
  bool met_no_schedule() const {
    return runs > 0 && uncontrolled[static_cast<int>(Uncontrolled::kUnmetSchedule)] >= runs;
  }
};

// How close the runs came to the interleaving (DirectedProgress).
struct DirectedTotals {
  std::uint32_t arrived = 0, together = 0, happened = 0, given_up = 0;
};

struct ExploreResult {
  Totals totals;
  DirectedTotals directed;
  std::vector<Finding> findings;
  binary::ModuleMap modules;  // of one of the servers
  std::vector<session::LockOrder>
      lock_orders;                     // except those that led to a deadlock among the findings
  session::FileChanges changed_files;  // that the runs left
  std::string first_output;            // the end of what the first run wrote
  std::vector<session::LateWakeup> late_wakeups;
  std::vector<suppress::Suppression> suppressions;  // with how often each of them fitted
  bool interrupted = false;
  bool out_of_time = false;    // ExploreOptions::time was over
  std::optional<Error> error;  // what ended the search early; the rest is still valid
};

struct ExploreHooks {
  std::function<void(const Totals&)> progress = [](const Totals&) {};  // about ten times a second
  std::function<bool()> should_stop = [] { return false; };
  std::function<void(const shrink::ShrinkProgress&)> shrinking = [](const shrink::ShrinkProgress&) {
  };
};

// Different failures beyond this are counted, but not kept. Races on one variable count as one
// failure. Of these, pairs of places are kept up to the limits for one variable, and for all
// findings together.
inline constexpr std::size_t kMaxFailures = 100;
inline constexpr std::size_t kMaxPlacesOfRace = 100;
inline constexpr std::size_t kMaxFindings = 300;

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
  bool has_room(const session::FailedRun& run, std::size_t group, const std::string& signature);
  void confirm(Finding& finding);
  bool replay_once(Finding& finding);  // true: it failed as the trace says
  void shrink_findings();
  void shrink_finding(Finding& finding, std::chrono::duration<double> time);
  void take_replayed_run(Finding& finding, session::FailedRun replayed);
  void collect_lock_orders();
  void collect_late_wakeups();
  void collect_directed();
  Totals totals() const;
  bool out_of_time() const;
  // When everything must be over, including confirming and shrinking.
  Clock::time_point last_moment() const;
  // Interrupted, or past the last moment.
  bool should_hurry() const;

  ExploreOptions options_;
  binary::Symbolizer& symbolizer_;
  // For globals, which are found without the source.
  binary::Variables variables_{symbolizer_};
  RaceGroups groups_{symbolizer_};
  std::set<std::string> left_out_;  // signatures
  ExploreHooks hooks_;
  Clock::time_point begin_;
  std::vector<std::unique_ptr<session::Session>> sessions_;
  std::vector<bool> done_;
  std::vector<std::string> signatures_;  // of the findings
  std::vector<RacedPart> parts_;         // of the same
  suppress::Suppressions built_in_ = suppress::built_in_suppressions();
  ExploreResult result_;
};

}  // namespace snag::explore
