#include "tool/report/formats/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "tool/base/names.h"

namespace snag::report {
namespace {

std::string result_line(const RunReport& report, const Painter& painter) {
  const std::string runs = counted(report.totals.runs, "schedule", "schedules");
  const double seconds = report.totals.elapsed.count();
  const double rate = seconds > 0 ? static_cast<double>(report.totals.runs) / seconds : 0;
  const std::string speed =
      fmt::format("{:.1f} s, {} a second", seconds, grouped(static_cast<unsigned long long>(rate)));
  if (report.failures.empty() && report.totals.met_no_schedule()) {
    return fmt::format(
        "{}: in none of {} could the event schedule be met; start the program by itself, and it "
        "says why",
        painter.paint(Colour::kYellow, "nothing was tested"), runs);
  }
  if (report.failures.empty() && report.totals.judged_no_run()) {
    return fmt::format("{}: all of {} were cut short ({})",
                       painter.paint(Colour::kYellow, "nothing was judged"), runs, speed);
  }
  if (report.failures.empty() && report.totals.runs == 0 && report.out_of_time) {
    return fmt::format("{}: --time ended the first run; give it more time ({})",
                       painter.paint(Colour::kYellow, "nothing was judged"), speed);
  }
  if (report.failures.empty()) {
    const bool is_sure = report.error.empty() && report.doubts().empty();
    const Colour colour = is_sure ? Colour::kGreen : Colour::kYellow;
    return fmt::format("{} in {} ({})", painter.paint(colour, "no failure"), runs, speed);
  }
  return fmt::format(
      "{} in {} ({})",
      painter.paint(Colour::kRed, counted(report.failures.size(), "failure", "different failures")),
      runs, speed);
}

std::string coverage_line(const RunReport& report) {
  const explore::Totals& totals = report.totals;
  return fmt::format(
      "  {}, {}, at most {}, {} at plain accesses",
      counted(totals.distinct_orders, "distinct partial order", "distinct partial orders"),
      counted(totals.steps, "step", "steps"), counted(totals.max_threads, "thread", "threads"),
      counted(totals.points, "schedule point", "schedule points"));
}

// Empty if every run came to its end.
std::string cut_line(const RunReport& report) {
  const std::uint64_t cut = report.totals.cut_runs;
  if (cut == 0) return "";
  return fmt::format(
      "  {} {} cut short by --max-steps, and counted neither as passed nor as failed; raise it if "
      "the program is just long\n",
      counted(cut, "run", "runs"), cut == 1 ? "was" : "were");
}

std::string control_line(const RunReport& report) {
  std::vector<std::string> seen;
  for (std::size_t i = 0; i < report.totals.uncontrolled.size(); ++i) {
    const std::uint64_t count = report.totals.uncontrolled[i];
    if (count > 0) seen.push_back(fmt::format("{} {}", grouped(count), kUncontrolledNames[i]));
  }
  const bool unexplained =
      std::any_of(report.failures.begin(), report.failures.end(),
                  [](const FailureView& failure) { return !failure.confirmed; });
  if (seen.empty() && unexplained)
    return "  nothing uncontrolled was seen, but there must be something";
  if (seen.empty()) return "  everything was controlled";
  return fmt::format("  not controlled: {}", fmt::join(seen, ", "));
}

// Empty if no file was left changed.
std::string files_line(const RunReport& report) {
  if (!report.changed_files.any()) return "";
  return fmt::format("  files that runs left changed: {}; {}\n", report.changed_files.text(),
                     report.totals.snapshot == CwdSnapshot::kOff
                         ? "--cwd-snapshot on puts those in the working folder and TMPDIR back"
                         : "they are outside of the snapshot");
}

// Empty if runs found the files as they were left.
std::string snapshot_text(const RunReport& report) {
  switch (report.totals.snapshot) {
    case CwdSnapshot::kOff:
      return "";
    case CwdSnapshot::kOn:
      return report.totals.leaves_temporary_files ? ", snapshot by overlay without TMPDIR"
                                                  : ", snapshot by overlay";
    case CwdSnapshot::kCopy:
      return ", snapshot by copy";
  }
  return "";
}

std::string bound_line(const RunReport& report) {
  const std::string bound =
      report.preemption_bound >= 0
          ? " within " +
                counted(static_cast<unsigned>(report.preemption_bound), "preemption", "preemptions")
          : "";
  if (!report.totals.space_exhausted) return "  not exhaustive: other schedules may fail";
  if (report.totals.bound_hit) {
    return fmt::format("  the whole space{} was explored; schedules beyond the bound were not",
                       bound);
  }
  return fmt::format("  the whole space{} was explored", report.totals.bound_hit ? bound : "");
}

std::string suppressions_text(const RunReport& report) {
  std::string text;
  for (const suppress::Suppression& suppression : report.suppressions) {
    const std::string which =
        fmt::format("  suppression {} (line {})", suppression.text(), suppression.line);
    if (suppression.matches == 0) {
      text += which + " fitted nothing\n";
      continue;
    }
    text +=
        fmt::format("{} kept away {}", which, counted(suppression.matches, "report", "reports"));
    // A run cannot go on after these.
    const bool ended = suppression.kind == suppress::SuppressionKind::kHeap ||
                       suppression.kind == suppress::SuppressionKind::kLock;
    text += ended ? "; these runs ended there\n" : "\n";
  }
  for (const std::string& kind : report.ignored_suppressions)
    text += fmt::format("  suppressions of kind '{}' mean nothing here and are ignored\n", kind);
  return text;
}

}  // namespace

std::string summary_text(const RunReport& report, const Painter& painter) {
  std::string text;
  if (report.interrupted) text += painter.paint(Colour::kYellow, "interrupted") + "\n";
  if (!report.error.empty())
    text += fmt::format("{}: {}\n", painter.paint(Colour::kYellow, "ended early"), report.error);
  text += result_line(report, painter) + "\n";
  for (const RunReport::Doubt& doubt : report.doubts())
    text += fmt::format("  {}: {}\n", painter.paint(Colour::kYellow, "warning"), doubt.message);
  text += coverage_line(report) + "\n";
  text += cut_line(report);
  text += control_line(report) + "\n";
  text += files_line(report);
  if (report.totals.refused_rename) {
    text += "  a rename or link failed with EXDEV: without the snapshot, it may succeed\n";
  }
  text += bound_line(report) + "\n";
  text += fmt::format("  strategy {}, seed {}, points {}, backend {}", name_of(report.strategy),
                      report.seed, name_of(report.points), name_of(report.totals.backend));
  // The claim holds only for programs whose threads are never late.
  if (report.timeouts != Timeouts::kEarly)
    text += fmt::format(", timeouts {}", name_of(report.timeouts));
  text += snapshot_text(report);
  text += "\n";
  text += suppressions_text(report);
  return text;
}

}  // namespace snag::report
