#include "tool/cli/options/run_options.h"

#include "tool/cli/options/allocator_option.h"
#include "tool/cli/options/shared_rows.h"

namespace snag::cli {
namespace {

constexpr std::uint64_t kMaxRuns = 1'000'000'000'000;

constexpr OptionRow<RunOptions> kRunRows[] = {
    {"--runs", "N",
     "stop after N runs; default 2000, no limit when --time is given; cover: N for each pair, "
     "default 200",
     set_number<&RunOptions::runs, 1, kMaxRuns>},
    {"--time", "SECONDS", "stop after that time; default no limit",
     set_seconds<&RunOptions::time, 1'000'000'000>},
    run_settings_row<RunOptions>(kOnRun),
    {"--cover-file", "FILE", "cover: what snag cover has measured; default snag.cover",
     set_text<&RunOptions::cover_file>},
    {"--prune-file", "FILE",
     "cover: pairs that cannot be covered; default snag.prune if it is there",
     set_text<&RunOptions::prune_file>},
    kAllocatorRow<RunOptions>,
    kSuppressionsRow<RunOptions>,
    {"-j,--jobs", "N", "work with N processes at a time; default 1",
     set_number<&RunOptions::jobs, 1, 1024>},
    {"--keep-going", nullptr, "look for different failures after the first one",
     set_flag<&RunOptions::keep_going>},
    kJsonRow<RunOptions>,
    kFormatRow<RunOptions>,
    kTraceFolderRow<RunOptions>,
    kQuietRow<RunOptions>,
    kShowOutputRow<RunOptions>,
    {"--shrink-time", "SECONDS",
     "look for simpler schedules of the failures for at most that long; default 10, 0: do not",
     set_seconds_or_none<&RunOptions::shrink_time, 1'000'000>},
    kStdinRow<RunOptions>,
};

}  // namespace

std::span<const OptionRow<RunOptions>> run_options() { return kRunRows; }

Expected<void> check_together(const RunOptions& options) {
  const RunSettings& run = options.run.values;
  if (has_trait(run.strategy, kSystematic) && options.jobs > 1) {
    return usage_error(
        "--strategy dfs is one walk over all schedules and works with one process: leave out -j");
  }
  if (run.strategy != StrategyKind::kWantedPair &&
      (!options.cover_file.empty() || !options.prune_file.empty())) {
    return usage_error(
        "--cover-file and --prune-file are of the strategy cover only: add --strategy cover, or "
        "leave them out");
  }
  if (run.strategy == StrategyKind::kWantedPair && run.points == Points::kSync) {
    return usage_error(
        "--strategy cover holds threads at accesses to memory: leave out --points sync");
  }
  return check_strategy_options(options.run);
}

}  // namespace snag::cli
