// Implements command.h: snag run: executes a program under many schedules until one fails.

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "tool/base/progress.h"
#include "tool/cli/commands/command.h"
#include "tool/cli/commands/run_cover.h"
#include "tool/cli/options/exit_codes.h"
#include "tool/cli/options/interrupt.h"
#include "tool/cli/options/option_table.h"
#include "tool/cli/options/program_line.h"
#include "tool/cli/options/run_options.h"
#include "tool/explore/explorer.h"
#include "tool/report/formats/progress_text.h"
#include "tool/report/view/run_report.h"

namespace snag::cli {
namespace {

Expected<explore::ExploreOptions> explore_options(const RunOptions& settings,
                                                  const std::vector<std::string>& command) {
  if (auto checked = cli::check_together(settings); !checked)
    return tl::unexpected(checked.error());
  auto named =
      cli::named_program(command, settings.stdin_file, "snag run [options] -- program [arguments]");
  if (!named) return tl::unexpected(named.error());

  explore::ExploreOptions options;
  options.program = std::move(named->program);
  options.program_hash = named->hash;
  options.settings = settings.run.values;
  options.runs =
      settings.runs == 0 && settings.time == 0 ? RunOptions::kDefaultRuns : settings.runs;
  options.time = std::chrono::duration<double>(settings.time);
  options.jobs = static_cast<int>(settings.jobs);
  options.keep_going = settings.keep_going;
  options.shrink_time = std::chrono::duration<double>(settings.shrink_time);
  options.trace_folder = settings.out;
  if (!settings.suppressions.empty()) {
    auto suppressions = suppress::Suppressions::read(settings.suppressions);
    if (!suppressions) return tl::unexpected(suppressions.error());
    options.suppressions = std::move(*suppressions);
  }
  return options;
}

int exit_code(const explore::ExploreResult& result) {
  // A failure of Snag itself does not count as a failure of the program.
  const auto all_are = [&](FailureKind kind) {
    return std::all_of(
        result.findings.begin(), result.findings.end(),
        [kind](const explore::Finding& finding) { return finding.run.kind == kind; });
  };
  if (!result.findings.empty()) {
    if (all_are(FailureKind::kUnsupported)) return kExitNothingRan;
    if (all_are(FailureKind::kInternal)) return kExitInternalError;
    return kExitFailureFound;
  }
  if (result.error) return cli::exit_code_of(*result.error);
  if (result.interrupted) return 128 + cli::interrupted_by();
  const bool tested = result.totals.runs > 0 && !result.totals.met_no_schedule();
  return tested ? kExitClean : kExitNothingRan;
}

// Without a single run, the only result is the reason.
int nothing_to_report(const Error& error, const RunOptions& settings,
                      const report::RunReport& report) {
  if (!settings.format->is_text()) fmt::print("{}", settings.format->write(report, {}));
  fmt::print(stderr, "snag run: {}\n", error.message);
  return cli::exit_code_of(error);
}

}  // namespace

int run_command(int argc, char** argv) {
  cli::OptionParser app(
      "Run a program under many thread schedules until one fails:\n"
      "  snag run [options] -- program [arguments]\n",
      "snag run");
  RunOptions settings;
  cli::SplitLine line;
  if (const auto code = cli::parse_options(app, cli::run_options(), argc, argv,
                                           cli::Words::kEndOptions, settings, line)) {
    return *code;
  }
  const std::vector<std::string>& command = line.tail;
  cli::draw_seed(settings.run);
  cli::count_processors(settings.run);
  // Fail early, not after an hour of searching.
  if (std::error_code ignored; std::filesystem::exists(settings.out, ignored) &&
                               !std::filesystem::is_directory(settings.out, ignored)) {
    fmt::print(stderr, "snag run: --out '{}' is not a folder: name one, or a name that is free\n",
               settings.out);
    return kExitUsage;
  }

  auto options = explore_options(settings, command);
  if (!options) {
    report::RunReport report;
    report.exit_code = cli::exit_code_of(options.error());
    report.program = command.empty() ? "" : command.front();
    report.seed = settings.run.values.seed;
    report.error = options.error().message;
    return nothing_to_report(options.error(), settings, report);
  }
  cli::catch_interrupts();
  if (settings.run.values.strategy == StrategyKind::kWantedPair)
    return cli::run_cover(settings, *options);
  binary::Symbolizer symbolizer;
  Progress progress("snag run", !settings.quiet);
  explore::ExploreHooks hooks;
  hooks.progress = [&](const explore::Totals& totals) {
    progress.update([&] { return report::progress_line(totals, options->runs); });
  };
  hooks.should_stop = [] { return cli::interrupted_by() != 0; };
  hooks.shrinking = [&](const shrink::ShrinkProgress& shrink) {
    progress.update([&] { return report::shrink_line(shrink); });
  };
  const explore::ExploreResult result = explore::Explorer(*options, symbolizer, hooks).explore();
  progress.finish();

  const report::RunReport report =
      report::run_report(result, *options, exit_code(result), symbolizer);
  if (result.error && result.totals.runs == 0 && result.findings.empty())
    return nothing_to_report(*result.error, settings, report);
  fmt::print("{}",
             settings.format->write(report, {painter_for(STDOUT_FILENO), settings.show_output}));
  return report.exit_code;
}

}  // namespace snag::cli
