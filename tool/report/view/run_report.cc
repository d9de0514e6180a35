#include "tool/report/view/run_report.h"

#include <fmt/format.h>

#include "protocol/strategies.h"
#include "tool/report/view/test_frameworks.h"

namespace snag::report {
namespace {

// If this many schedules all have the same order, that is no coincidence.
constexpr std::uint64_t kManyRuns = 20;

}  // namespace

std::vector<RunReport::Doubt> RunReport::doubts() const {
  std::vector<Doubt> doubts;
  if (!no_test.empty()) {
    doubts.push_back(
        {"no-test",
         fmt::format("no test ran: the program says '{}'; check the test filter", no_test)});
    return doubts;
  }
  if (!failures.empty() || totals.runs == 0 || totals.met_no_schedule() || totals.judged_no_run())
    return doubts;
  if (totals.max_threads <= 1) {
    doubts.push_back({"one-thread",
                      "only one thread was seen: there is nothing to interleave; check the test "
                      "filter and the arguments"});
  } else if (totals.runs >= kManyRuns && totals.distinct_orders == 1 && !totals.space_exhausted) {
    // Where sleeps are never too short, they may order the threads.
    const char* sleeps = timeouts == Timeouts::kEarly ? "" : ", or sleeps order them";
    doubts.push_back(
        {"one-order",
         fmt::format("all schedules were the same partial order: the threads share nothing that "
                     "Snag sees{}; check the arguments, and that all code was built with Snag",
                     sleeps)});
  }
  return doubts;
}

RunReport run_report(const explore::ExploreResult& result, const explore::ExploreOptions& options,
                     int exit_code, binary::Symbolizer& symbolizer) {
  RunReport report;
  report.exit_code = exit_code;
  report.program = options.program.path;
  report.seed = options.settings.seed;
  report.strategy = options.settings.strategy;
  report.points = options.settings.points;
  report.timeouts = options.settings.timeouts;
  report.preemption_bound =
      has_trait(options.settings.strategy, kSystematic) ? options.settings.preemption_bound : -1;
  report.totals = result.totals;
  report.changed_files = result.changed_files;
  report.no_test = no_test_line(result.first_output);
  report.interrupted = result.interrupted;
  report.out_of_time = result.out_of_time;
  report.suppressions = result.suppressions;
  report.ignored_suppressions = options.suppressions.ignored_kinds();
  if (result.error) report.error = result.error->message;
  SourceText source;
  report.failures = views_of(result.findings, symbolizer, source);
  for (const session::LockOrder& order : result.lock_orders)
    report.lock_orders.push_back(view_of(order, symbolizer, source));
  for (const session::LateWakeup& late : result.late_wakeups)
    report.late_wakeups.push_back(view_of(late, symbolizer, source));
  return report;
}

}  // namespace snag::report
