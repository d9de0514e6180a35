#include "tool/cli/options/run_options.h"

#include <string_view>

#include "tool/base/names.h"
#include "tool/cli/options/format_option.h"

namespace snag::cli {
namespace {

Expected<void> set_strategy(RunSettings& settings, const std::string& text) {
  const StrategyRow* strategy = find_strategy(text);
  if (strategy == nullptr || strategy->choice < StrategyChoice::kRun) {
    return usage_error(
        fmt::format("is one of {}, not '{}'", list_strategies(StrategyChoice::kRun).text, text));
  }
  settings.strategy = strategy->kind;
  return {};
}

Expected<void> set_points(RunSettings& settings, const std::string& text) {
  const auto points = parse_points(text);
  if (!points) return usage_error(fmt::format("is one of sync, shared, all, not '{}'", text));
  settings.points = *points;
  return {};
}

Expected<void> set_backend(RunSettings& settings, const std::string& text) {
  const auto backend = parse_backend(text);
  if (!backend) return usage_error(fmt::format("is one of user, futex, not '{}'", text));
  settings.backend = *backend;
  return {};
}

Expected<void> set_races(RunSettings& settings, const std::string& text) {
  const auto races = parse_races(text);
  if (!races) return usage_error(fmt::format("is one of report, fail, off, not '{}'", text));
  settings.races = *races;
  return {};
}

Expected<void> set_heap(RunSettings& settings, const std::string& text) {
  if (text != "fail" && text != "off")
    return usage_error(fmt::format("must be \"fail\" or \"off\", not '{}'", text));
  settings.heap_checks = text == "fail";
  return {};
}

Expected<void> set_lock_misuse(RunSettings& settings, const std::string& text) {
  if (text != "fail" && text != "off")
    return usage_error(fmt::format("is fail or off, not '{}'", text));
  settings.lock_misuse = text == "fail";
  return {};
}

Expected<void> set_lock_order(RunSettings& settings, const std::string& text) {
  if (text != "report" && text != "off")
    return usage_error(fmt::format("is report or off, not '{}'", text));
  settings.lock_order = text == "report";
  return {};
}

Expected<void> set_shrink_time(RunSettings& settings, const std::string& text) {
  if (text != "0") return set_seconds<&RunSettings::shrink_time, 1'000'000>(settings, text);
  settings.shrink_time = 0;
  return {};
}

constexpr std::uint64_t kAnySeed = UINT64_MAX;
constexpr std::uint64_t kMaxRuns = 1'000'000'000'000;
constexpr std::uint64_t kMaxSteps = 100'000'000;  // the log takes 24 bytes a step, 72 in replays

constexpr auto kStrategyHelp =
    list_strategies(StrategyChoice::kRun, ", or ", ": see docs/guide/cover.md; default mix");

constexpr OptionRow<RunSettings> kRunRows[] = {
    {"--runs", "N",
     "stop after N runs; default 2000, no limit when --time is given; cover: N for each pair, "
     "default 200",
     set_number<&RunSettings::runs, 1, kMaxRuns>},
    {"--time", "SECONDS", "stop after that time; default no limit",
     set_seconds<&RunSettings::time, 1'000'000'000>},
    {"--seed", "N", "what all choices are derived from; default random",
     set_number<&RunSettings::seed, 0, kAnySeed>},
    {"--strategy", "NAME", kStrategyHelp.text, set_strategy},
    {"--depth", "N", "pct: bugs that need N ordered events; default 3",
     set_number<&RunSettings::depth, 1, 64>},
    {"--cover-file", "FILE", "cover: what snag cover has measured; default snag.cover",
     set_text<&RunSettings::cover_file>},
    {"--prune-file", "FILE",
     "cover: pairs that cannot be covered; default snag.prune if it is there",
     set_text<&RunSettings::prune_file>},
    {"--preemptions", "N", "dfs: at most N preemptions in a run; default no bound",
     set_number<&RunSettings::preemptions, 0, 1'000'000>},
    {"--points", "WHERE",
     "switch threads at sync operations, also at shared plain accesses, or at all; default "
     "shared",
     set_points},
    {"--backend", "NAME", "user: switch in user space; futex: kernel threads; default user",
     set_backend},
    {"--races", "WHAT",
     "data races: report them and go on, fail (stop at the first one), or off; default report",
     set_races},
    {"--heap", "WHAT", "fail: heap errors are failures; off: not looked for; default fail",
     set_heap},
    {"--lock-misuse", "WHAT", "misuse of locks: fail, or off; default fail", set_lock_misuse},
    {"--lock-order", "WHAT", "locks that are taken in both orders: report, or off; default report",
     set_lock_order},
    {"--suppressions", "FILE", "known races, heap errors, deadlocks and lock errors not to be told",
     set_text<&RunSettings::suppressions>},
    {"-j,--jobs", "N", "work with N processes at a time; default 1",
     set_number<&RunSettings::jobs, 1, 1024>},
    {"--keep-going", nullptr, "look for different failures after the first one",
     set_flag<&RunSettings::keep_going>},
    {"--json", nullptr, "the result as one JSON object on standard output",
     set_json<&RunSettings::format>},
    {"--format", "NAME", kFormatHelp, set_format<&RunSettings::format>},
    {"--out", "DIR", "folder for the traces of failures; default snag-traces",
     set_text<&RunSettings::out>},
    {"--quiet", nullptr, "no progress on standard error", set_flag<&RunSettings::quiet>},
    {"--show-output", nullptr,
     "all of the failing run's output that was kept (8 KiB), not only its last lines",
     set_flag<&RunSettings::show_output>},
    {"--max-steps", "N", "a run with more steps is a livelock; default 1000000",
     set_number<&RunSettings::max_steps, 1, kMaxSteps>},
    {"--hang-timeout", "SECONDS", "a run without a step for that long is a hang; default 10",
     set_seconds<&RunSettings::hang_timeout, 1'000'000>},
    {"--shrink-time", "SECONDS",
     "look for simpler schedules of the failures for at most that long; default 10, 0: do not",
     set_shrink_time},
    {"--stdin", "FILE", "standard input of the program; default /dev/null",
     set_text<&RunSettings::stdin_file>},
};

}  // namespace

std::span<const OptionRow<RunSettings>> run_options() { return kRunRows; }

Expected<void> check_together(const RunSettings& settings) {
  if (has_trait(settings.strategy, kSystematic) && settings.jobs > 1) {
    return usage_error(
        "--strategy dfs is one walk over all schedules and works with one process: leave out -j");
  }
  if (settings.preemptions && !has_trait(settings.strategy, kSystematic)) {
    return usage_error(
        "--preemptions bounds the systematic search only: add --strategy dfs, or leave it out");
  }
  if (settings.strategy != StrategyKind::kWantedPair &&
      (!settings.cover_file.empty() || !settings.prune_file.empty())) {
    return usage_error(
        "--cover-file and --prune-file are of the strategy cover only: add --strategy cover, or "
        "leave them out");
  }
  if (settings.strategy == StrategyKind::kWantedPair && settings.points == Points::kSync) {
    return usage_error(
        "--strategy cover holds threads at accesses to memory: leave out --points sync");
  }
  if (settings.depth && settings.strategy != StrategyKind::kPct) {
    return usage_error("--depth is of the strategy pct only: add --strategy pct, or leave it out");
  }
  return {};
}

}  // namespace snag::cli
