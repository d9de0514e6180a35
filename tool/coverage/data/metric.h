// The metrics by their names, as options and files have them. The table is protocol/metrics.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "protocol/coverage.h"
#include "tool/base/error.h"

namespace snag::coverage {

inline constexpr std::size_t kMetricCount = static_cast<std::size_t>(Metric::kCount);
inline constexpr std::uint32_t kAllMetrics = (1u << kMetricCount) - 1;

// What options accept: "all, or some of lp du ..., with commas between".
#define SNAG_METRIC_WORD(metric, word, ...) " " word
#define SNAG_METRIC_WORDS "all, or some of" SNAG_METRICS(SNAG_METRIC_WORD) ", with commas between"

// "lp"
constexpr std::string_view short_name(Metric metric) { return row_of(metric).word; }
// "location pairs"
constexpr std::string_view long_name(Metric metric) { return row_of(metric).name; }
std::optional<Metric> parse_metric(std::string_view name);

// The bits of "lp,du" or "all".
Expected<std::uint32_t> parse_metrics(std::string_view text);
// "lp,lines"
std::string short_names(std::uint32_t metrics);
// The message for a user who asks for metrics that were not measured.
std::string not_measured(std::uint32_t metrics);

// Whether the metric counts pairs of locations.
constexpr bool has_pairs(Metric metric) { return row_of(metric).has(kOfPairs); }

// Whether (a, b) is another pair than (b, a).
constexpr bool is_ordered(Metric metric) { return row_of(metric).has(kOrdered); }

// Calls `f` for each metric of the bits, in their order.
template <class Function>
void for_each_metric(std::uint32_t metrics, Function f) {
  for (std::size_t i = 0; i < kMetricCount; ++i) {
    if ((metrics & (1u << i)) != 0) f(static_cast<Metric>(i));
  }
}

}  // namespace snag::coverage
