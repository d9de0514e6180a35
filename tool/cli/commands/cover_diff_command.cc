// Implements command.h: snag cover diff: shows what one data file has covered and another one has
// not.

#include <fmt/format.h>

#include "tool/cli/commands/command.h"
#include "tool/cli/options/cover_files.h"
#include "tool/cli/options/exit_codes.h"
#include "tool/cli/options/option_table.h"
#include "tool/coverage/data/merge.h"
#include "tool/coverage/report/diff.h"

namespace snag::cli {
namespace {

constexpr const char* kCoverDiffName = "snag cover diff";

struct CoverDiffSettings {
  std::uint32_t metrics = coverage::kAllMetrics;
  bool json = false;
};

Expected<void> set_metrics(CoverDiffSettings& settings, const std::string& text) {
  const auto metrics = coverage::parse_metrics(text);
  if (!metrics) return tl::unexpected(metrics.error());
  settings.metrics = *metrics;
  return {};
}

// Locations of different contexts are never the same; ignored ones are only missing.
Expected<void> check_same_way(const coverage::CoverData& before, const coverage::CoverData& after,
                              const std::vector<std::string>& names) {
  const coverage::Build &a = before.build, &b = after.build;
  if (a.context == b.context && a.ignored == b.ignored) return {};
  const std::string ways =
      fmt::format("'{}' was measured with {} and '{}' with {}", names[0], coverage::measured_as(a),
                  names[1], coverage::measured_as(b));
  if (a.context != b.context) {
    return usage_error(ways +
                       ": they have no locations in common, measure both with the same --context");
  }
  fmt::print(stderr, "{}: {}: what only one of them ignores is shown as added or lost\n",
             kCoverDiffName, ways);
  return {};
}

constexpr cli::OptionRow<CoverDiffSettings> kCoverDiffRows[] = {
    {"--metric", "NAMES", "only these: " SNAG_METRIC_WORDS, set_metrics},
    {"--json", nullptr, "one JSON object", cli::set_flag<&CoverDiffSettings::json>},
};

}  // namespace

int cover_diff_command(int argc, char** argv) {
  cli::OptionParser app(
      "Show what a new measurement adds to an old one, and what it lacks:\n"
      "  snag cover diff [options] OLD NEW\n",
      kCoverDiffName);
  CoverDiffSettings settings;
  std::vector<std::string> words;
  if (const auto code = cli::parse_with_words(app, kCoverDiffRows, argc, argv, settings, words))
    return *code;
  if (words.size() != 2)
    return cli::complain(kCoverDiffName, {ErrorKind::kUsage, "give two data files: OLD NEW"});
  auto before = cli::read_cover_files({words[0]}, kCoverDiffName);
  if (!before) return cli::complain(kCoverDiffName, before.error());
  auto after = cli::read_cover_files({words[1]}, kCoverDiffName);
  if (!after) return cli::complain(kCoverDiffName, after.error());
  // A metric that only one of them has measured is neither added nor lost.
  const std::uint32_t both = before->metrics() & after->metrics() & settings.metrics;
  if (const std::uint32_t one = (before->metrics() ^ after->metrics()) & settings.metrics) {
    fmt::print(stderr, "{}: only one of the files has {}: not compared\n", kCoverDiffName,
               coverage::short_names(one));
  }
  if (both == 0) {
    return cli::complain(
        kCoverDiffName,
        {ErrorKind::kUsage, "the files have no metric in common: measure the same --metric"});
  }
  if (auto same = check_same_way(*before, *after, words); !same)
    return cli::complain(kCoverDiffName, same.error());
  const coverage::Diff diff = coverage::diff(*before, *after);
  fmt::print("{}",
             settings.json ? coverage::diff_json(diff, both) : coverage::diff_text(diff, both));
  return kExitClean;
}

}  // namespace snag::cli
