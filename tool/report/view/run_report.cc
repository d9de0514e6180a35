#include "tool/report/view/run_report.h"

#include "protocol/strategies.h"

namespace snag::report {
namespace {

// If this many schedules all have the same order, that is no coincidence.
constexpr std::uint64_t kManyRuns = 20;

}  // namespace

std::vector<RunReport::Doubt> RunReport::doubts() const {
  std::vector<Doubt> doubts;
  if (!failures.empty() || totals.runs == 0 || totals.met_no_schedule() || totals.judged_no_run())
    return doubts;
  if (totals.max_threads <= 1) {
    doubts.push_back({"one-thread",
                      "only one thread was seen: there is nothing to interleave; check the test "
                      "filter and the arguments"});
  } else if (totals.runs >= kManyRuns && totals.distinct_orders == 1 && !totals.space_exhausted) {
    doubts.push_back({"one-order",
                      "all schedules were the same partial order: the threads share nothing that "
                      "Snag sees; check the arguments, and that all code was built with Snag"});
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
  report.preemption_bound =
      has_trait(options.settings.strategy, kSystematic) ? options.settings.preemption_bound : -1;
  report.totals = result.totals;
  report.interrupted = result.interrupted;
  report.out_of_time = result.out_of_time;
  report.suppressions = result.suppressions;
  report.ignored_suppressions = options.suppressions.ignored_kinds();
  if (result.error) report.error = result.error->message;
  SourceText source;
  report.failures = views_of(result.findings, symbolizer, source);
  for (const session::LockOrder& order : result.lock_orders)
    report.lock_orders.push_back(view_of(order, symbolizer, source));
  return report;
}

}  // namespace snag::report
