#include "tool/coverage/data/metric.h"

#include <fmt/format.h>

namespace snag::coverage {

std::optional<Metric> parse_metric(std::string_view name) {
  for (const MetricRow& row : kMetricRows) {
    if (row.word == name) return row.metric;
  }
  return std::nullopt;
}

Expected<std::uint32_t> parse_metrics(std::string_view text) {
  if (text == "all") return kAllMetrics;
  std::uint32_t metrics = 0;
  while (true) {
    const std::string_view name = text.substr(0, text.find(','));
    const auto metric = parse_metric(name);
    if (!metric) {
      return usage_error(fmt::format("takes " SNAG_METRIC_WORDS ", not '{}'", name));
    }
    metrics |= metric_bit(*metric);
    if (name.size() == text.size()) return metrics;
    text.remove_prefix(name.size() + 1);
  }
}

std::string short_names(std::uint32_t metrics) {
  std::string text;
  for_each_metric(metrics, [&](Metric metric) {
    if (!text.empty()) text += ',';
    text += short_name(metric);
  });
  return text;
}

std::string not_measured(std::uint32_t metrics) {
  const std::string names = short_names(metrics);
  return fmt::format("{} was not measured: measure with snag cover --metric {}", names, names);
}

}  // namespace snag::coverage
