#include "tool/cli/options/cover_options.h"

#include <string_view>

#include "tool/base/names.h"

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

Expected<void> set_strategy(CoverSettings& settings, const std::string& text) {
  const StrategyRow* strategy = find_strategy(text);
  if (strategy == nullptr || strategy->choice < StrategyChoice::kEverywhere) {
    return usage_error(fmt::format("is one of {}, not '{}'",
                                   list_strategies(StrategyChoice::kEverywhere).text, text));
  }
  settings.strategy = strategy->kind;
  return {};
}

Expected<void> set_points(CoverSettings& settings, const std::string& text) {
  settings.points = parse_points(text);
  if (!settings.points)
    return usage_error(fmt::format("is one of sync, shared, all, not '{}'", text));
  return {};
}

Expected<void> set_backend(CoverSettings& settings, const std::string& text) {
  settings.backend = parse_backend(text);
  if (!settings.backend) return usage_error(fmt::format("is one of user, futex, not '{}'", text));
  return {};
}

constexpr std::uint64_t kCoverMaxRuns = 1'000'000'000;
constexpr std::uint64_t kCoverMaxSteps = 100'000'000;

constexpr auto kCoverStrategyHelp =
    list_strategies(StrategyChoice::kEverywhere, " or ", "; default mix", "--control: ");

constexpr OptionRow<CoverSettings> kCoverRows[] = {
    {"--runs", "N", "run the program N times; default 1, with --control 2000",
     set_number<&CoverSettings::runs, 1, kCoverMaxRuns>},
    {"--time", "SECONDS", "stop after that time; default no limit",
     set_seconds<&CoverSettings::time, 1'000'000'000>},
    {"--metric", "NAMES",
     "what to measure: " SNAG_METRIC_WORDS " with commas between, or all; default lp,lines",
     set_metrics},
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
    {"--seed", "N", "--control: what all choices are derived from; default random",
     set_number<&CoverSettings::seed, 0, UINT64_MAX>},
    {"--strategy", "NAME", kCoverStrategyHelp.text, set_strategy},
    {"--depth", "N", "--control, pct: N ordered events; default 3",
     set_number<&CoverSettings::depth, 1, 64>},
    {"--preemptions", "N", "--control, dfs: at most N preemptions in a run; default no bound",
     set_number<&CoverSettings::preemptions, 0, 1'000'000>},
    {"--points", "WHERE", "--control: switch threads at sync, shared or all; default shared",
     set_points},
    {"--backend", "NAME", "--control: user or futex; default user", set_backend},
    {"--max-steps", "N", "--control: a run with more steps is a livelock; default 1000000",
     set_number<&CoverSettings::max_steps, 1, kCoverMaxSteps>},
    {"--hang-timeout", "SECONDS",
     "--control: a run without a step for that long is a hang; default 10",
     set_seconds<&CoverSettings::hang_timeout, 1'000'000>},
    {"--stdin", "FILE", "--control: standard input of the program; default /dev/null",
     set_text<&CoverSettings::stdin_file>},
};

}  // namespace

std::span<const OptionRow<CoverSettings>> cover_options() { return kCoverRows; }

Expected<void> check_together(const CoverSettings& settings) {
  if (!settings.control) {
    const bool has_control_options = settings.seed || settings.strategy || settings.depth ||
                                     settings.preemptions || settings.max_steps ||
                                     settings.points || settings.backend || settings.hang_timeout ||
                                     !settings.stdin_file.empty();
    if (has_control_options) {
      return usage_error(
          "--seed, --strategy, --depth, --preemptions, --points, --backend, --max-steps, "
          "--hang-timeout and --stdin are for runs under control: add --control");
    }
    return {};
  }
  const StrategyKind strategy = settings.strategy.value_or(StrategyKind::kMix);
  if (settings.preemptions && !has_trait(strategy, kSystematic))
    return usage_error("--preemptions bounds the systematic search only: add --strategy dfs");
  if (settings.depth && strategy != StrategyKind::kPct)
    return usage_error("--depth is of the strategy pct only: add --strategy pct");
  return {};
}

}  // namespace snag::cli
