// Coverage reports: text, annotated sources, JSON and lcov.
#pragma once

#include <string>

#include "tool/coverage/data/data.h"
#include "tool/coverage/data/prune.h"
#include "tool/coverage/data/totals.h"
#include "tool/coverage/data/wording.h"

namespace snag::coverage {

struct ReportInput {
  const CoverData& data;
  const Wording& wording;
  const PruneList& prune;
  const Pruned& pruned;
  const Totals& totals;
  std::uint32_t metrics = kAllMetrics;  // to be shown, of those that were measured
};

// A table with a row for each file, the totals, and notes about the measurement.
std::string summary_text(const ReportInput& input);

// A line for each pair that is (not) covered and not pruned, and for each place that takes a lock,
// with what was (not) seen there.
enum class Which { kCovered, kUncovered };
std::string lists_text(const ReportInput& input, Which which);

// The source with the coverage of each line; names the files whose source cannot be read.
std::string annotated_text(const ReportInput& input);

// The same numbers and pairs for programs; docs/reference/json.md describes the fields.
struct JsonParts {
  bool covered = false, uncovered = false;
};
std::string report_json(const ReportInput& input, const JsonParts& parts);

// For lcov's tools: lines and functions, with the location pairs that begin in a line as its
// branches.
std::string report_lcov(const ReportInput& input);

// Whether the list has the pair.
bool is_listed(const ReportInput& input, std::size_t pair, Which which);

// "lock at q.h:51 in Queue::push(): never blocked, never blocking"; empty if the location does not
// belong in the list.
std::string lock_text(const ReportInput& input, LocationId id, Which which);

// Metrics that the data has, and that are to be shown.
std::uint32_t shown_metrics(const ReportInput& input);

}  // namespace snag::coverage
