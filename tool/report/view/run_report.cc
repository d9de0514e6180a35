#include "tool/report/view/run_report.h"

#include "protocol/strategies.h"

namespace snag::report {

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
  report.suppressions = result.suppressions;
  report.ignored_suppressions = options.suppressions.ignored_kinds();
  if (result.error) report.error = result.error->message;
  SourceText source;
  for (const explore::Finding& finding : result.findings)
    report.failures.push_back(view_of(finding, symbolizer, source));
  for (const session::LockOrder& order : result.lock_orders)
    report.lock_orders.push_back(view_of(order, symbolizer, source));
  return report;
}

}  // namespace snag::report
