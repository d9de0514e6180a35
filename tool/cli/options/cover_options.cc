#include "tool/cli/options/cover_options.h"

#include <string_view>

namespace snag::cli {
namespace {

Expected<void> set_metrics(CoverSettings& settings, const std::string& text) {
  const auto metrics = coverage::parse_metrics(text);
  if (!metrics) return tl::unexpected(metrics.error());
  settings.metrics = *metrics;
  return {};
}

Expected<void> set_ignored(CoverSettings& settings, const std::string& text) {
  std::string_view rest = text;
  while (true) {
    const std::string_view pattern = rest.substr(0, rest.find(','));
    if (pattern.empty())
      return usage_error("needs patterns with commas between: a function, a file, file:line");
    settings.ignored.emplace(pattern);
    if (pattern.size() == rest.size()) return {};
    rest.remove_prefix(pattern.size() + 1);
  }
}

constexpr std::uint64_t kCoverMaxRuns = 1'000'000'000;

constexpr OptionRow<CoverSettings> kCoverRows[] = {
    {"--runs", "N", "run the program N times; default 1, with --control 2000",
     set_number<&CoverSettings::runs, 1, kCoverMaxRuns>},
    {"--time", "SECONDS", "stop after that time; default no limit",
     set_seconds<&CoverSettings::time, 1'000'000'000>},
    {"--metric", "NAMES", "what to measure: " SNAG_METRIC_WORDS "; default lp,lines", set_metrics},
    {"--context", "N", "tell locations apart by their last N callers, 0 to 4; default 0",
     set_number<&CoverSettings::context, 0, kMaxCoverContext>},
    {"--ignore", "PATTERNS",
     "accesses that do not count: of a function, a file, file:line, or in calls of assert; with "
     "commas between",
     set_ignored},
    {"-o,--output", "FILE", "the data file, which is added to; default snag.cover",
     set_text<&CoverSettings::output>},
    {"--quiet", nullptr, "no progress and no result on standard error",
     set_flag<&CoverSettings::quiet>},
    {"--control", nullptr, "run it under control, with schedules that a strategy chooses",
     set_flag<&CoverSettings::control>},
    run_settings_row<CoverSettings>(kOnCover),
    {"--stdin", "FILE", "--control: standard input of the program; default /dev/null",
     set_text<&CoverSettings::stdin_file>},
};

}  // namespace

std::span<const OptionRow<CoverSettings>> cover_options() { return kCoverRows; }

Expected<void> check_together(const CoverSettings& settings) {
  if (settings.control) return check_strategy_options(settings.run);
  if (settings.run.any_given() || !settings.stdin_file.empty()) {
    return usage_error(fmt::format("{} and --stdin are for runs under control: add --control",
                                   option_names(kOnCover)));
  }
  return {};
}

}  // namespace snag::cli
