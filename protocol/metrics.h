// The coverage metrics, one row each. Options, files and, for metrics of pairs, reports follow from
// the row; what records a metric is in runtime/cover/. CONTRIBUTING.md lists every step.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace snag {

// Traits of a metric: bits.
inline constexpr unsigned kOfPairs = 1;     // counts pairs of locations, else single locations
inline constexpr unsigned kOrdered = 2;     // (a, b) is another pair than (b, a)
inline constexpr unsigned kOfAccesses = 4;  // the locations access memory, so a pair has a variable
inline constexpr unsigned kHasTarget = 8;   // what could be covered is known
inline constexpr unsigned kHasCounts = 16;  // how often a pair was covered is shown

//   X(metric, word, name, singular, plural, pair_text, traits)
//
//   word       in options, files and JSON
//   name       in reports
//   singular   what a comparison of two measurements counts
//   pair_text  how reports describe a pair of functions; empty for pairs of accesses
//
//   kLocationPairs      consecutive accesses by different threads, at least one a write
//   kDefUse             a write, and a read by another thread that sees it
//   kMethodPairs        a call that has not returned, and an action of another thread meanwhile
//   kConcurrentMethods  CovCon's covered counts; first <= second
//   kLines              a location was executed (CoverLocation::seen)
//   kSync               a place that locks (CoverLocation::seen)
//
// The order is that of reports, and part of the protocol.
#define SNAG_METRICS(X)                                                                        \
  X(kLocationPairs, "lp", "location pairs", "location pairs", "location pairs", "",            \
    kOfPairs | kOrdered | kOfAccesses | kHasTarget)                                            \
  X(kDefUse, "du", "definition-use pairs", "definition-use pairs", "definition-use pairs", "", \
    kOfPairs | kOrdered | kOfAccesses | kHasTarget)                                            \
  X(kMethodPairs, "mp", "method pairs", "method pairs", "method pairs",                        \
    "during {}, an action of {}", kOfPairs | kOrdered)                                         \
  X(kConcurrentMethods, "cmp", "concurrent method pairs", "concurrent method pairs",           \
    "concurrent method pairs", "{} while {} runs", kOfPairs | kHasCounts)                      \
  X(kLines, "lines", "lines", "line executed", "lines executed", "", kOrdered | kHasTarget)    \
  X(kSync, "sync", "synchronisation", "wait at places that take locks",                        \
    "waits at places that take locks", "", kOrdered | kHasTarget)

enum class Metric : std::uint8_t {
#define SNAG_METRIC(metric, ...) metric,
  SNAG_METRICS(SNAG_METRIC)
#undef SNAG_METRIC
      kCount
};

struct MetricRow {
  Metric metric;
  std::string_view word;
  std::string_view name;
  const char* singular;
  const char* plural;
  std::string_view pair_text;
  unsigned traits;

  constexpr bool has(unsigned trait) const { return (traits & trait) != 0; }
};

inline constexpr MetricRow kMetricRows[] = {
#define SNAG_ROW(metric, word, name, singular, plural, pair_text, traits) \
  {Metric::metric, word, name, singular, plural, pair_text, traits},
    SNAG_METRICS(SNAG_ROW)
#undef SNAG_ROW
};

constexpr const MetricRow& row_of(Metric metric) {
  return kMetricRows[static_cast<std::size_t>(metric)];
}

constexpr std::uint32_t metric_bit(Metric metric) { return 1u << static_cast<int>(metric); }

}  // namespace snag
