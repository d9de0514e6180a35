#include "tool/coverage/report/report_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "tool/base/text.h"

namespace snag::coverage {
namespace {

using Row = std::vector<std::string>;

// Columns as wide as their contents; all but the first are right-aligned.
std::string table(const std::vector<Row>& rows) {
  std::vector<std::size_t> widths;
  for (const Row& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const Row& row : rows) {
    std::string line = fmt::format("  {:<{}}", row[0], widths[0]);
    for (std::size_t i = 1; i < row.size(); ++i) line += fmt::format("  {:>{}}", row[i], widths[i]);
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

// "12 of 15", "80.0 %"; without a target only "12".
void add_cells(Row& row, const Score& score, bool has_target) {
  if (score.target == 0 && score.covered == 0) {
    row.insert(row.end(), {"-", ""});
    return;
  }
  if (!has_target) {
    row.insert(row.end(), {grouped(score.covered), ""});
    return;
  }
  row.push_back(fmt::format("{} of {}", grouped(score.covered), grouped(score.target)));
  row.push_back(percent_text(score.covered, score.target));
}

Row row_of(const std::string& name, const std::array<Score, kMetricCount>& scores,
           const Score& functions, const Totals& totals, std::uint32_t metrics) {
  Row row{name};
  for_each_metric(metrics, [&](Metric metric) {
    const auto i = static_cast<std::size_t>(metric);
    add_cells(row, scores[i], totals.has_target[i]);
    if (metric == Metric::kLines) add_cells(row, functions, true);
  });
  return row;
}

std::string duration_text(std::uint64_t microseconds) {
  const double seconds = static_cast<double>(microseconds) / 1e6;
  if (seconds < 120) return fmt::format("{:.1f} s", seconds);
  if (seconds < 7200) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

std::string measurement_text(const CoverData& data) {
  if (data.shards().empty()) return "  nothing was measured\n";
  std::array<std::uint64_t, Shard::kCountCount> sums{};
  bool is_controlled = false, is_free = false;
  for (const Shard& shard : data.shards()) {
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += shard.counts[i];
    (shard.is_controlled ? is_controlled : is_free) = true;
  }
  std::string text = fmt::format(
      "  {} in {} ({}{}{})", counted(sums[Shard::kRuns], "run", "runs"),
      counted(data.shards().size(), "measurement", "measurements"), is_free ? "running freely" : "",
      is_free && is_controlled ? ", or " : "", is_controlled ? "under control" : "");
  text += fmt::format(", {}\n", duration_text(sums[Shard::kDuration]));
  if (sums[Shard::kFailed] > 0)
    text += fmt::format("  {} failed\n", counted(sums[Shard::kFailed], "run", "runs"));
  const auto lost = [&](Shard::Count count, std::string_view one, std::string_view many) {
    if (sums[count] > 0)
      text +=
          fmt::format("  did not fit and are not counted: {}\n", counted(sums[count], one, many));
  };
  lost(Shard::kLostLocations, "location", "locations");
  lost(Shard::kLostPairs, "pair", "pairs");
  lost(Shard::kLostThreads, "thread", "threads");
  if (sums[Shard::kLostVariables] > 0) text += fmt::format("  {}\n", kTargetIncomplete);
  return text;
}

std::string prune_text(const ReportInput& input) {
  std::string text;
  for_each_metric(shown_metrics(input), [&](Metric metric) {
    const Score& score = input.totals.of(metric);
    if (score.pruned > 0) {
      text += fmt::format("  {} left out as not coverable (snag cover prune --list)\n",
                          counted(score.pruned, "pair", "pairs"));
    }
    if (score.contradicted > 0) {
      text += fmt::format(
          "  {} covered although the prune file says that {} cannot be: correct the file\n",
          counted(score.contradicted, "pair was", "pairs were"),
          score.contradicted == 1 ? "it" : "they");
    }
  });
  const auto unused = std::count(input.pruned.is_used.begin(), input.pruned.is_used.end(), false);
  if (unused > 0) {
    text += fmt::format("  {} nothing here; has the source changed?\n",
                        counted(static_cast<std::uint64_t>(unused), "entry of the prune file fits",
                                "entries of the prune file fit"));
  }
  return text;
}

}  // namespace

std::uint32_t shown_metrics(const ReportInput& input) {
  return input.metrics & input.data.metrics();
}

std::string summary_text(const ReportInput& input) {
  const Totals& totals = input.totals;
  const std::uint32_t metrics = shown_metrics(input);
  std::vector<Row> rows;
  Row head{"file"};
  for_each_metric(metrics, [&](Metric metric) {
    head.insert(head.end(), {std::string(long_name(metric)), ""});
    if (metric == Metric::kLines) head.insert(head.end(), {"functions", ""});
  });
  rows.push_back(head);
  Score library_functions;
  std::uint64_t library_files = 0;
  for (const FileScore& file : totals.files) {
    if (!file.is_library) {
      rows.push_back(row_of(file.name, file.scores, file.functions, totals, metrics));
      continue;
    }
    ++library_files;
    library_functions.add(file.functions);
  }
  if (library_files > 0) {
    rows.push_back(
        row_of(fmt::format("({})", counted(library_files, "library file", "library files")),
               totals.library_scores, library_functions, totals, metrics));
  }
  rows.push_back(row_of("all", totals.scores, totals.functions, totals, metrics));

  std::string text = fmt::format("coverage of {}\n\n", base_name(input.data.build.program));
  text += table(rows) + "\n" + measurement_text(input.data) + prune_text(input);
  if (input.data.build.context > 0) {
    text += fmt::format("  locations are distinguished by {}\n",
                        counted(input.data.build.context, "caller", "callers"));
  }
  if (!totals.knows_all_code)
    text += "  lines without an executed access, and functions never called, are not all known\n";
  return text;
}

bool is_listed(const ReportInput& input, std::size_t index, Which which) {
  const Pair& pair = input.data.pairs()[index];
  if ((metric_bit(pair.metric) & input.metrics) == 0) return false;
  if (which == Which::kCovered) return pair.is_covered();
  return !pair.is_covered() && !input.pruned.is_pruned(index);
}

std::string lock_text(const ReportInput& input, LocationId id, Which which) {
  const Location& location = input.data.locations()[id];
  if ((input.metrics & metric_bit(Metric::kSync)) == 0 || (location.seen & kSeenLock) == 0)
    return "";
  std::string text;
  for (const auto& [bit, word] : kLockSeen) {
    const bool is_seen = (location.seen & bit) != 0;
    if (is_seen != (which == Which::kCovered)) continue;
    text += fmt::format("{}{}{}", text.empty() ? ": " : ", ", is_seen ? "" : "never ", word);
  }
  return text.empty() ? "" : input.wording.lock(id) + text;
}

namespace {

// The number is that of the table, where a place counts twice.
std::string locks_text(const ReportInput& input, Which which) {
  std::string text;
  std::uint64_t places = 0;
  for (LocationId id = 0; id < input.data.locations().size(); ++id) {
    const std::string line = lock_text(input, id, which);
    if (line.empty()) continue;
    ++places;
    text += fmt::format("  {}\n", line);
  }
  if (places == 0) return "";
  const Score& score = input.totals.of(Metric::kSync);
  const bool is_covered = which == Which::kCovered;
  return fmt::format("{} {}covered: {}, at {}\n", long_name(Metric::kSync),
                     is_covered ? "" : "not ",
                     grouped(is_covered ? score.covered : score.target - score.covered),
                     counted(places, "place", "places")) +
         text;
}

}  // namespace

std::string lists_text(const ReportInput& input, Which which) {
  std::string text;
  for_each_metric(input.metrics, [&](Metric metric) {
    if (metric == Metric::kSync) text += locks_text(input, which);
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < input.data.pairs().size(); ++i) {
      const Pair& pair = input.data.pairs()[i];
      if (pair.metric != metric || !is_listed(input, i, which)) continue;
      std::string line = input.wording.pair(pair);
      if (row_of(metric).has(kHasCounts)) {
        line += fmt::format(
            ", {}", counted(input.data.count_of(static_cast<std::uint32_t>(i)), "time", "times"));
      }
      lines.push_back(std::move(line));
    }
    if (lines.empty()) return;
    text += fmt::format("{} {}covered: {}\n", long_name(metric),
                        which == Which::kCovered ? "" : "not ", grouped(lines.size()));
    for (const std::string& line : lines) text += fmt::format("  {}\n", line);
  });
  return text;
}

}  // namespace snag::coverage
