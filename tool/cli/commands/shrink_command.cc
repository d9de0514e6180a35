// Implements command.h: snag shrink: looks for a simpler schedule of the failure of a trace.

#include <fmt/format.h>
#include <unistd.h>

#include "tool/base/progress.h"
#include "tool/binary/program_check.h"
#include "tool/cli/commands/command.h"
#include "tool/cli/options/exit_codes.h"
#include "tool/cli/options/interrupt.h"
#include "tool/cli/options/option_table.h"
#include "tool/cli/options/shared_rows.h"
#include "tool/cli/options/trace_file.h"
#include "tool/report/formats/progress_text.h"
#include "tool/report/view/run_report.h"
#include "tool/shrink/shrink.h"
#include "tool/toolchain/compiler_args.h"
#include "tool/trace/replay.h"

namespace snag::cli {
namespace {

using shrink::ShrinkResult;
using trace::ReplayEnd;
using trace::Trace;

struct ShrinkSettings {
  double time = 10;
  std::string out;
  const report::Format* format = &report::kFormats[0];
  bool quiet = false;
  bool thorough = false;
  bool show_output = false;
  ChosenSettings run;
};

constexpr cli::OptionRow<ShrinkSettings> kShrinkRows[] = {
    {"-o,--out", "FILE", "write the trace there; default: in place of the one given",
     cli::set_text<&ShrinkSettings::out>},
    {"--time", "SECONDS", "stop after that time; default 10",
     cli::set_seconds<&ShrinkSettings::time, 1'000'000>},
    {"--thorough", nullptr, "in the last search leave out only schedules with equal effects",
     cli::set_flag<&ShrinkSettings::thorough>},
    cli::kJsonRow<ShrinkSettings>,
    cli::kFormatRow<ShrinkSettings>,
    cli::kQuietRow<ShrinkSettings>,
    cli::kShowOutputRow<ShrinkSettings>,
    cli::run_settings_row<ShrinkSettings>(kOnShrink),
};

Expected<Trace> load(const ShrinkSettings& settings, const cli::SplitLine& line) {
  if (line.words.size() != 1 || !line.tail.empty()) {
    return usage_error(fmt::format("{}: snag shrink [options] FILE", line.words.empty()
                                                                         ? "no trace was given"
                                                                         : "one trace at a time"));
  }
  auto trace = cli::read_runnable_trace(line.words.front());
  if (!trace) return trace;
  cli::replace_settings(kOnShrink, settings.run.values, trace->settings);
  if (auto checked = binary::check_program(trace->program.path); !checked)
    return tl::unexpected(checked.error());
  const auto hash = binary::hash_file(trace->program.path);
  if (!hash) return tl::unexpected(hash.error());
  if (*hash != trace->program_hash) {
    return nothing_ran(fmt::format(
        "'{}' has changed since the trace was made: shrink the trace of a new search by snag run",
        trace->program.path));
  }
  return trace;
}

report::FailureView failure_view(const ShrinkResult& result, const std::string& path,
                                 binary::Symbolizer& symbolizer) {
  report::SourceText source;
  report::FailureView view;
  report::fill_from_run(view, result.run, symbolizer, source);
  view.seed = result.trace.settings.seed;
  view.run = result.trace.run;
  view.strategy = result.trace.settings.strategy;
  view.switch_count = result.switches_after;
  view.shrunk_from = result.trace.shrunk_from;
  view.trace_path = path;
  view.confirmed = true;
  view.output = result.output;
  return view;
}

// The result, in a sentence.
std::string verdict(const ShrinkResult& result) {
  std::string text =
      result.shrunk && result.switches_after < result.switches_before
          ? fmt::format("shrunk from {} to {}", grouped(result.switches_before),
                        counted(result.switches_after, "switch", "switches"))
      : result.shrunk
          ? fmt::format("shrunk to fewer threads or steps, with {}",
                        counted(result.switches_after, "switch", "switches"))
          : fmt::format("not shrunk: {}", counted(result.switches_before, "switch", "switches"));
  text += fmt::format(" ({}, {:.1f} s)", counted(result.attempts, "attempt", "attempts"),
                      result.seconds.count());
  if (result.smallest) text += "; a search among all schedules with fewer switches found none";
  if (!result.problem.empty()) text += "; " + result.problem;
  return text;
}

}  // namespace

int shrink_command(int argc, char** argv) {
  cli::OptionParser app("Look for a simpler schedule of a failure:\n  snag shrink [options] FILE\n",
                        "snag shrink");
  ShrinkSettings settings;
  cli::SplitLine line;
  const std::span<const cli::OptionRow<ShrinkSettings>> rows = kShrinkRows;
  if (const auto code =
          cli::parse_options(app, rows, argc, argv, cli::Words::kBetweenOptions, settings, line)) {
    return *code;
  }
  const auto fail = [&](const Error& error) {
    fmt::print(stderr, "snag shrink: {}\n", error.message);
    return cli::exit_code_of(error);
  };
  const auto trace = load(settings, line);
  if (!trace) return fail(trace.error());
  cli::catch_interrupts();

  trace::ReplayOptions replay_options;
  replay_options.should_stop = [] { return cli::interrupted_by() != 0; };
  const auto replayed = trace::replay_exactly(*trace, replay_options);
  if (!replayed) return fail(replayed.error());
  if (replayed->end == ReplayEnd::kInterrupted) return 128 + cli::interrupted_by();
  if (replayed->end != ReplayEnd::kIdentical) {
    fmt::print(stderr,
               "snag shrink: the failure does not come back by its trace: see snag replay {}\n",
               toolchain::quote_argument(line.words.front()));
    return kExitReplayDiverged;
  }

  binary::Symbolizer symbolizer;
  Progress progress("snag shrink", !settings.quiet);
  shrink::ShrinkOptions options;
  options.time = std::chrono::duration<double>(settings.time);
  options.thorough = settings.thorough;
  options.should_stop = replay_options.should_stop;
  options.progress = [&](const shrink::ShrinkProgress& shrink) {
    progress.update([&] { return report::shrink_line(shrink); });
  };
  auto result = shrink::shrink(*trace, *replayed->run, symbolizer, options);
  progress.finish();
  if (!result) return fail(result.error());
  if (!result->shrunk) result->output = replayed->output;

  const std::string& path = settings.out.empty() ? line.words.front() : settings.out;
  if (result->shrunk || !settings.out.empty()) {
    if (auto written = trace::rewrite_trace(path, result->trace); !written)
      return fail(written.error());
  }
  report::ShrinkReport report;
  report.exit_code = kExitFailureFound;
  report.program = trace->program.path;
  report.verdict = verdict(*result);
  report.switches_before = result->switches_before;
  report.switches_after = result->switches_after;
  report.attempts = result->attempts;
  report.seconds = result->seconds.count();
  report.smallest = result->smallest;
  report.failures = {failure_view(*result, path, symbolizer)};
  fmt::print("{}",
             settings.format->write(report, {painter_for(STDOUT_FILENO), settings.show_output}));
  return kExitFailureFound;
}

}  // namespace snag::cli
