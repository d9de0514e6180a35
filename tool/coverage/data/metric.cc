#include "tool/coverage/data/metric.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace snag::coverage {
namespace {

struct Names {
  std::string_view brief, full;
};
// In the order of Metric.
constexpr std::array<Names, kMetricCount> kNames = {{{"lp", "location pairs"},
                                                     {"du", "definition-use pairs"},
                                                     {"mp", "method pairs"},
                                                     {"cmp", "concurrent method pairs"},
                                                     {"lines", "lines"},
                                                     {"sync", "synchronisation"}}};

}  // namespace

std::string_view short_name(Metric metric) {
  return kNames[static_cast<std::size_t>(metric)].brief;
}
std::string_view long_name(Metric metric) { return kNames[static_cast<std::size_t>(metric)].full; }

std::optional<Metric> parse_metric(std::string_view name) {
  const auto found = std::find_if(kNames.begin(), kNames.end(),
                                  [&](const Names& names) { return names.brief == name; });
  if (found == kNames.end()) return std::nullopt;
  return static_cast<Metric>(found - kNames.begin());
}

Expected<std::uint32_t> parse_metrics(std::string_view text) {
  if (text == "all") return kAllMetrics;
  std::uint32_t metrics = 0;
  while (true) {
    const std::string_view name = text.substr(0, text.find(','));
    const auto metric = parse_metric(name);
    if (!metric) {
      return usage_error(fmt::format(
          "takes names of lp, du, mp, cmp, lines, sync with commas between, or all, not '{}'",
          name));
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
