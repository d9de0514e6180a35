// Implements command.h: snag cover: measures which of a program's interleavings are covered.

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <memory>
#include <string_view>

#include "tool/base/progress.h"
#include "tool/base/terminal.h"
#include "tool/cli/commands/command.h"
#include "tool/cli/options/cover_files.h"
#include "tool/cli/options/cover_options.h"
#include "tool/cli/options/exit_codes.h"
#include "tool/cli/options/interrupt.h"
#include "tool/cli/options/option_table.h"
#include "tool/cli/options/program_line.h"
#include "tool/coverage/data/wording.h"
#include "tool/coverage/measure/measure.h"

namespace snag::cli {
namespace {

using cli::CoverSettings;

constexpr Subcommand kCoverCommands[] = {
    {"report", "show what is covered, and what is not", cover_report_command},
    {"merge", "put data files of the same build together", cover_merge_command},
    {"diff", "what another data file has covered that this one has not", cover_diff_command},
    {"curve", "how coverage grew, as SVG or CSV", cover_curve_command},
    {"prune", "keep the list of pairs that cannot be covered", cover_prune_command},
    {"why", "explain why pairs are not covered, by some controlled runs", cover_why_command},
};

session::SessionOptions session_options(const RunSettings& settings) {
  session::SessionOptions options;
  options.config.settings = settings;
  options.config.run_stride = 1;
  return options;
}

Expected<coverage::MeasureOptions> measure_options(const CoverSettings& settings,
                                                   const std::vector<std::string>& command) {
  if (auto checked = cli::check_together(settings); !checked)
    return tl::unexpected(checked.error());
  auto named = cli::named_program(command, settings.stdin_file,
                                  "snag cover [options] -- program [arguments]");
  if (!named) return tl::unexpected(named.error());
  coverage::MeasureOptions options;
  options.program = std::move(named->program);
  options.program_hash = named->hash;
  options.file = settings.output;
  options.metrics = settings.metrics;
  options.context = static_cast<std::uint32_t>(settings.context);
  options.ignored = settings.ignored;
  options.time = std::chrono::duration<double>(settings.time);
  options.runs = settings.runs;
  if (settings.control) options.control = session_options(settings.run.values);
  if (options.runs == 0 && settings.time == 0)
    options.runs = settings.control ? CoverSettings::kDefaultControlledRuns : 1;
  return options;
}

std::string pairs_text(const coverage::Collector::Counts& counts) {
  return fmt::format("{} of {} location pairs", grouped(counts.covered), grouped(counts.target));
}

// The number of pairs is approximate: instructions of the same place in the source are merged only
// at the end.
std::string progress_line(const coverage::MeasureProgress& now) {
  return fmt::format("{:.0f} s, {}, about {}", now.elapsed.count(),
                     counted(now.runs, "run", "runs"), pairs_text(now.location_pairs));
}

void print_result(const coverage::MeasureResult& result, const CoverSettings& settings) {
  const auto say = [](const std::string& text) { fmt::print(stderr, "snag cover: {}\n", text); };
  if (result.bad_lines > 0) {
    say(fmt::format("'{}' was cut or damaged: {} left out, the rest was kept", settings.output,
                    counted(result.bad_lines, "line was", "lines were")));
  }
  for (const auto& [what, count] : result.failures) {
    say(settings.control
            ? fmt::format("{} failed ({}); snag run shows how", counted(count, "run", "runs"), what)
            : fmt::format("the program {} in {}; what it had covered until then is kept", what,
                          count == 1 && result.totals.runs == 1 ? "its run"
                                                                : counted(count, "run", "runs")));
  }
  const auto lost = [&](coverage::Shard::Count count, std::string_view what) {
    if (result.counts[count] > 0)
      say(fmt::format("{} {} did not fit and are not counted", grouped(result.counts[count]),
                      what));
  };
  lost(coverage::Shard::kLostLocations, "locations");
  lost(coverage::Shard::kLostPairs, "pairs");
  lost(coverage::Shard::kLostThreads, "threads");
  if (result.counts[coverage::Shard::kLostVariables] > 0)
    say(fmt::format("{}", coverage::kTargetIncomplete));
  if (settings.quiet) return;
  say(fmt::format("{} ({:.1f} s){}", counted(result.totals.runs, "run", "runs"),
                  result.totals.elapsed.count(), result.is_interrupted ? ", interrupted" : ""));
  if ((settings.metrics & metric_bit(Metric::kLocationPairs)) == 0) return;
  const std::uint64_t added = result.after.covered - result.before.covered;
  say(fmt::format("{} covered ({}){}; snag cover report shows them", pairs_text(result.after),
                  coverage::percent_text(result.after.covered, result.after.target),
                  result.before.target > 0 ? fmt::format(", {} new", grouped(added)) : ""));
}

int measure_command(int argc, char** argv) {
  std::string help =
      "Measure which interleavings of a program are covered:\n"
      "  snag cover [options] -- program [arguments]\n"
      "and work with the results:\n";
  for (const Subcommand& command : kCoverCommands)
    help += fmt::format("  snag cover {:<7} {}\n", command.name, command.help);
  cli::OptionParser app(help, "snag cover");
  CoverSettings settings;
  cli::SplitLine line;
  if (const auto code = cli::parse_options(app, cli::cover_options(), argc, argv,
                                           cli::Words::kEndOptions, settings, line)) {
    return *code;
  }
  cli::draw_seed(settings.run);
  cli::count_processors(settings.run);
  auto options = measure_options(settings, line.tail);
  if (!options) return cli::complain("snag cover", options.error());
  cli::catch_interrupts();
  // A program that runs freely writes to the terminal, too, so no line can be rewritten.
  Progress progress("snag cover", !settings.quiet, settings.control && is_terminal(STDERR_FILENO));
  coverage::MeasureHooks hooks;
  hooks.progress = [&](const coverage::MeasureProgress& now) {
    progress.update([&] { return progress_line(now); });
  };
  hooks.interrupted_by = cli::interrupted_by;
  auto result = coverage::measure(*options, hooks);
  progress.finish();
  if (!result) return cli::complain("snag cover", result.error());
  print_result(*result, settings);
  if (result->totals.failed > 0) return kExitFailureFound;
  if (result->is_interrupted) return 128 + cli::interrupted_by();
  return kExitClean;
}

}  // namespace

int cover_command(int argc, char** argv) {
  for (const Subcommand& command : kCoverCommands) {
    if (argc > 1 && std::string_view(argv[1]) == command.name)
      return command.run(argc - 1, argv + 1);
  }
  return measure_command(argc, argv);
}

}  // namespace snag::cli
