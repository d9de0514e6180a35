// Implements format.h: the format "text", for people.
#include <fmt/format.h>

#include "tool/report/formats/format.h"
#include "tool/report/formats/summary.h"
#include "tool/report/formats/text.h"
#include "tool/report/view/run_report.h"

namespace snag::report {

std::string write_text(const Report& report, const TextStyle& style) { return report.text(style); }

std::string RunReport::text(const TextStyle& style) const {
  std::string text;
  for (const FailureView& failure : failures)
    text += failure_text(failure, style.painter, style.all_output) + "\n";
  for (const LockOrderView& warning : lock_orders)
    text += lock_order_text(warning, style.painter) + "\n";
  for (const LateWakeupView& warning : late_wakeups)
    text += late_wakeup_text(warning, style.painter) + "\n";
  return text + summary_text(*this, style.painter);
}

std::string ReplayReport::text(const TextStyle& style) const {
  std::string text;
  if (is_reproduced) {
    for (const FailureView& failure : failures)
      text += failure_text(failure, style.painter, style.all_output) + "\n";
  }
  return text + verdict + "\n";
}

std::string ShrinkReport::text(const TextStyle& style) const {
  std::string text;
  for (const FailureView& failure : failures)
    text += failure_text(failure, style.painter, style.all_output) + "\n";
  return text + verdict + "\n";
}

}  // namespace snag::report
