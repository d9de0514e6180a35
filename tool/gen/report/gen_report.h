// The report of `snag gen` as text and as JSON, and the coverage over time as CSV.
#pragma once

#include <string>

#include "tool/base/terminal.h"
#include "tool/gen/session/session_options.h"
#include "tool/report/view/report.h"

namespace snag::gen {

// A violation: the smallest test, what happened, what each order of the calls gives, and (if there
// is one) the interleaving.
std::string violation_text(const DriverInfo& driver, const Outcome& outcome,
                           const FoundViolation& found, const report::FailureView* view,
                           const Painter& painter);

// "2 violations in 1,234 tests ...": counts, pairs, what was left out.
std::string summary_text(const DriverInfo& driver, const GenSessionOptions& options,
                         const Outcome& outcome, const Painter& painter);

// Pairs that were covered, tried without success, never tried; with their methods.
std::string coverage_text(const DriverInfo& driver, const PairCounts& pairs);

// The result for the output formats. The arguments must outlive it. The text has no violations:
// they are printed as soon as they are found (violation_text).
class GenReport : public report::Report {
 public:
  GenReport(const DriverInfo& driver, const GenSessionOptions& options, const Outcome& outcome,
            binary::Symbolizer& symbolizer, bool lists_pairs);

  std::string text(const report::TextStyle& style) const override;
  report::Json fields() const override;

 private:
  const DriverInfo& driver_;
  const GenSessionOptions& options_;
  const Outcome& outcome_;
  bool lists_pairs_;
};

// "seconds,tests,covered,tried,pairs".
std::string coverage_csv(const Outcome& outcome);

// "1,234 tests, 2,100 a second, 34 of 45 pairs covered"
std::string gen_progress_line(const GenTotals& totals);

// The test as C++ statements, the threads side by side where they fit.
std::string test_text(const TestText& text, int indent, int width);

}  // namespace snag::gen
