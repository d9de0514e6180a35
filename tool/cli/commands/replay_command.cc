// Implements command.h: snag replay: shows the failure of a trace again.

#include <fmt/format.h>
#include <unistd.h>

#include "tool/base/names.h"
#include "tool/binary/program_check.h"
#include "tool/cli/commands/command.h"
#include "tool/cli/commands/replay_search.h"
#include "tool/cli/options/exit_codes.h"
#include "tool/cli/options/interrupt.h"
#include "tool/cli/options/option_table.h"
#include "tool/cli/options/shared_rows.h"
#include "tool/cli/options/trace_file.h"
#include "tool/report/view/run_report.h"
#include "tool/trace/debugger.h"
#include "tool/trace/position_replay.h"
#include "tool/trace/replay.h"

namespace snag::cli {
namespace {

using trace::ReplayEnd;
using trace::ReplayResult;
using trace::Trace;

struct ReplaySettings {
  std::uint64_t times = 1;
  std::uint64_t or_search = 0;
  const report::Format* format = &report::kFormats[0];
  bool by_position = false;
  bool show_output = false;
  bool gdb = false;
  std::string program;
  std::string stdin_file;
  ChosenSettings run;
};

constexpr cli::OptionRow<ReplaySettings> kReplayRows[] = {
    {"--times", "N", "replay N times and compare the events; default 1",
     cli::set_number<&ReplaySettings::times, 1, 1'000'000'000>},
    {"--program", "PATH", "the program, where it is not where the trace says",
     cli::set_text<&ReplaySettings::program>},
    {"--by-position", nullptr, "follow source positions, also if the program is unchanged",
     cli::set_flag<&ReplaySettings::by_position>},
    {"--stdin", "FILE", "standard input of the program; default as in the trace",
     cli::set_text<&ReplaySettings::stdin_file>},
    {"--or-search", "N",
     "if the failure does not come back: look for it, or another one, in N other schedules",
     cli::set_number<&ReplaySettings::or_search, 1, 1'000'000'000'000>},
    {"--gdb", nullptr, "in gdb, stopped before the last step; arguments after -- are for gdb",
     cli::set_flag<&ReplaySettings::gdb>},
    cli::kJsonRow<ReplaySettings>,
    cli::kFormatRow<ReplaySettings>,
    cli::kShowOutputRow<ReplaySettings>,
    cli::run_settings_row<ReplaySettings>(kOnReplay),
};

// All replays of one trace.
struct Outcome {
  ReplayResult last;
  std::uint64_t runs = 0;
  std::uint64_t identical = 0;
  bool by_position = false;
  bool changed = false;  // the program is not the one that made the trace
  std::uint64_t program_hash = 0;
};

Expected<Trace> load(const ReplaySettings& settings, const cli::SplitLine& line) {
  if (line.words.size() != 1) {
    return usage_error(
        fmt::format("{}: snag replay [options] FILE [-- arguments]",
                    line.words.empty() ? "no trace was given" : "one trace at a time"));
  }
  auto trace = cli::read_runnable_trace(line.words.front());
  if (!trace) return trace;
  cli::replace_settings(kOnReplay, settings.run.values, trace->settings);
  if (!settings.program.empty()) {
    auto path = find_program(settings.program);
    if (!path) return tl::unexpected(path.error());
    trace->program.path = *path;
  }
  if (!settings.stdin_file.empty()) trace->program.stdin_path = settings.stdin_file;
  if (!line.tail.empty() && !settings.gdb) {
    trace->program.argv.resize(1);
    trace->program.argv.insert(trace->program.argv.end(), line.tail.begin(), line.tail.end());
  }
  if (auto checked = binary::check_program(trace->program.path); !checked)
    return tl::unexpected(checked.error());
  return trace;
}

// Does not return if all is well.
Error debug(const Trace& trace, const ReplaySettings& settings, const cli::SplitLine& line) {
  if (!settings.format->is_text() || settings.by_position || settings.times != 1 ||
      settings.or_search != 0) {
    return {ErrorKind::kUsage,
            "--gdb shows one exact replay: leave out --json, --by-position, --times, --or-search"};
  }
  const auto hash = binary::hash_file(trace.program.path);
  if (!hash) return hash.error();
  if (*hash != trace.program_hash) {
    return {ErrorKind::kUsage,
            fmt::format("'{}' has changed since the trace was made, and --gdb follows exact "
                        "schedules only: make a new trace of it with snag run",
                        trace.program.path)};
  }
  return trace::debug(trace, {toolchain::find_resources(), line.words.front(), line.tail});
}

Expected<Outcome> replay(const Trace& trace, const ReplaySettings& settings,
                         binary::Symbolizer& symbolizer) {
  const auto hash = binary::hash_file(trace.program.path);
  if (!hash) return tl::unexpected(hash.error());
  trace::ReplayOptions options;
  options.should_stop = [] { return cli::interrupted_by() != 0; };
  Outcome outcome;
  outcome.program_hash = *hash;
  outcome.changed = *hash != trace.program_hash;
  outcome.by_position = settings.by_position || outcome.changed;
  if (settings.or_search != 0 && outcome.by_position && !trace::has_positions(trace)) {
    outcome.last.end = ReplayEnd::kDiverged;
    outcome.last.message = "the trace has too many switches to be followed by source positions";
    return outcome;
  }
  for (std::uint64_t i = 0; i < settings.times; ++i) {
    auto result = outcome.by_position ? trace::replay_by_position(trace, symbolizer, options)
                                      : trace::replay_exactly(trace, options);
    if (!result) return tl::unexpected(result.error());
    outcome.last = std::move(*result);
    if (outcome.last.end == ReplayEnd::kInterrupted) break;
    ++outcome.runs;
    if (outcome.last.end == ReplayEnd::kIdentical ||
        (outcome.by_position && outcome.last.end == ReplayEnd::kSameFailure)) {
      ++outcome.identical;
    } else {
      break;  // show the one that differs
    }
  }
  return outcome;
}

int exit_code(const Outcome& outcome) {
  switch (outcome.last.end) {
    case ReplayEnd::kIdentical:
      return kExitFailureFound;
    case ReplayEnd::kSameFailure:
    case ReplayEnd::kOther:
      // With the same binary, other events mean that something was not controlled.
      return outcome.by_position && outcome.last.end == ReplayEnd::kSameFailure
                 ? kExitFailureFound
                 : kExitReplayDiverged;
    case ReplayEnd::kNoFailure:
      return outcome.by_position ? kExitClean : kExitReplayDiverged;
    case ReplayEnd::kDiverged:
      return kExitReplayDiverged;
    case ReplayEnd::kInterrupted:
      break;
  }
  return 128 + cli::interrupted_by();
}

// The result of the replay, before a search began.
std::string without_advice(const Outcome& outcome, const Trace& trace) {
  if (outcome.last.end == ReplayEnd::kDiverged)
    return fmt::format("the schedule could not be followed any more ({})", outcome.last.message);
  return fmt::format("the recorded schedule did not lead to the {} any more",
                     trace.failure.kind_name());
}

// Why a replay of the same binary may differ.
std::string changed_files_text(const Outcome& outcome) {
  if (!outcome.last.changed_files.any()) return "";
  return fmt::format(
      "; runs change files, and later runs find them changed: {}: {} makes a trace that does not "
      "depend on them",
      outcome.last.changed_files.text(), session::kPutsFilesBack);
}

// The result of the replay, in a sentence.
std::string verdict(const Outcome& outcome, const Trace& trace) {
  const std::string_view kind = trace.failure.kind_name();
  switch (outcome.last.end) {
    case ReplayEnd::kIdentical:
      return fmt::format("{} of {} identical (event hash {:016x})", outcome.identical, outcome.runs,
                         trace.event_hash);
    case ReplayEnd::kSameFailure:
      if (outcome.by_position) {
        return fmt::format("{}followed by source positions, {} of {} failed in the same way",
                           outcome.changed ? "the program has changed since; " : "",
                           outcome.identical, outcome.runs);
      }
      return fmt::format(
          "diverged: the same failure, but by other events (event hash {:016x} instead of "
          "{:016x}): "
          "something in the program is not controlled{}",
          outcome.last.event_hash, trace.event_hash, changed_files_text(outcome));
    case ReplayEnd::kOther: {
      binary::Symbolizer symbolizer;
      const session::FailedRun& run = *outcome.last.run;
      return fmt::format("diverged: expected {}, but there was {}: {}", kind, run.kind_name(),
                         session::with_places(run.message, run.modules, symbolizer));
    }
    case ReplayEnd::kNoFailure:
      if (outcome.by_position)
        return fmt::format("the {} did not come back: the bug may be fixed", kind);
      return fmt::format(
          "diverged: the run followed the schedule, but the {} did not happen: something in the "
          "program is not controlled{}",
          kind, changed_files_text(outcome));
    case ReplayEnd::kDiverged:
      return (outcome.last.message.starts_with("diverged") ? "" : "diverged: ") +
             outcome.last.message +
             (outcome.changed
                  ? "; the bug may be fixed, or the change too big: let snag run search again"
                  : changed_files_text(outcome));
    case ReplayEnd::kInterrupted:
      break;
  }
  return fmt::format("interrupted after {} replays, {} of them identical", outcome.runs,
                     outcome.identical);
}

report::FailureView failure_view(const Outcome& outcome, const Trace& trace,
                                 const std::string& path, binary::Symbolizer& symbolizer) {
  report::SourceText source;
  report::FailureView view;
  report::fill_from_run(view, *outcome.last.run, symbolizer, source);
  view.seed = trace.settings.seed;
  view.run = trace.run;
  view.strategy = trace.settings.strategy;
  if (!outcome.by_position) view.shrunk_from = trace.shrunk_from;
  view.trace_path = path;
  view.confirmed = true;
  view.output = outcome.last.output;
  view.count = outcome.identical;
  return view;
}

// Whether to search: neither the failure nor a similar one came back.
bool wants_search(const Outcome& outcome, const ReplaySettings& settings) {
  const ReplayEnd end = outcome.last.end;
  return settings.or_search != 0 && (end == ReplayEnd::kNoFailure || end == ReplayEnd::kDiverged);
}

// For --or-search, which asks whether the program fails and not how the replay went.
int exit_code_of_replay(const Outcome& outcome, const ReplaySettings& settings) {
  const ReplayEnd end = outcome.last.end;
  const bool failed =
      end == ReplayEnd::kSameFailure ||
      (end == ReplayEnd::kOther && !has_trait(outcome.last.run->kind, kNotOfProgram));
  return settings.or_search != 0 && failed ? kExitFailureFound : exit_code(outcome);
}

}  // namespace

int replay_command(int argc, char** argv) {
  cli::OptionParser app(
      "Show the failure of a trace again:\n  snag replay [options] FILE [-- arguments]\n",
      "snag replay");
  ReplaySettings settings;
  cli::SplitLine line;
  const std::span<const cli::OptionRow<ReplaySettings>> rows = kReplayRows;
  if (const auto code =
          cli::parse_options(app, rows, argc, argv, cli::Words::kBetweenOptions, settings, line)) {
    return *code;
  }
  const auto fail = [&](const Error& error) {
    fmt::print(stderr, "snag replay: {}\n", error.message);
    return cli::exit_code_of(error);
  };
  const auto trace = load(settings, line);
  if (!trace) return fail(trace.error());
  if (settings.gdb) return fail(debug(*trace, settings, line));
  cli::catch_interrupts();
  binary::Symbolizer symbolizer;
  const auto outcome = replay(*trace, settings, symbolizer);
  if (!outcome) return fail(outcome.error());

  int code = exit_code_of_replay(*outcome, settings);
  std::string said = verdict(*outcome, *trace);
  std::optional<report::FailureView> failure;
  if (outcome->last.run && !outcome->last.run->diverged) {
    failure = failure_view(*outcome, *trace, line.words.front(), symbolizer);
  }
  std::uint64_t searched = 0;
  if (wants_search(*outcome, settings)) {
    const explore::ExploreResult found =
        cli::search_again(*trace, outcome->program_hash, settings.or_search, symbolizer,
                          [] { return cli::interrupted_by() != 0; });
    code = cli::search_exit_code(found);
    said =
        cli::search_verdict(found, *trace, outcome->program_hash, without_advice(*outcome, *trace));
    searched = found.totals.runs;
    report::SourceText source;
    if (!found.findings.empty())
      failure = report::view_of(found.findings.front(), symbolizer, source);
  }
  report::ReplayReport report;
  report.exit_code = code;
  report.program = trace->program.path;
  report.verdict = said;
  report.runs = outcome->runs;
  report.identical = outcome->identical;
  report.by_position = outcome->by_position;
  report.searched = searched;
  report.is_reproduced = code == kExitFailureFound;
  if (failure) report.failures.push_back(std::move(*failure));
  fmt::print("{}",
             settings.format->write(report, {painter_for(STDOUT_FILENO), settings.show_output}));
  return code;
}

}  // namespace snag::cli
