// Implements command.h: snag active: predicts from a few runs what could go wrong, and makes it
// happen.

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>

#include "tool/active/report/verdict_text.h"
#include "tool/active/session/active_session.h"
#include "tool/base/progress.h"
#include "tool/cli/commands/command.h"
#include "tool/cli/options/allocator_option.h"
#include "tool/cli/options/exit_codes.h"
#include "tool/cli/options/interrupt.h"
#include "tool/cli/options/option_table.h"
#include "tool/cli/options/program_line.h"
#include "tool/cli/options/shared_rows.h"

namespace snag::cli {
namespace {

struct ActiveSettings {
  active::KindSet kinds;  // empty: all
  std::uint64_t runs = 50;
  std::uint64_t watched = 0;  // 0: as many as needed
  std::uint64_t cycle = active::kDefaultCycle;
  double time = 0;
  ChosenSettings run;
  bool use_breakpoints = false;
  std::string suppressions;
  std::string file = "snag.active";
  const report::Format* format = &report::kFormats[0];
  bool quiet = false, show_output = false, show_all = false;
  std::string out = "snag-traces";
  double shrink_time = 3;
  std::string stdin_file;
  std::string report;
};

Expected<void> set_strategy(ActiveSettings& settings, const std::string& text) {
  static constexpr std::string_view kNames[] = {"active", "assert"};
  if (text != kNames[0] && text != kNames[1]) return must_be(kNames, text);
  settings.use_breakpoints = text == "assert";
  return {};
}

template <active::Kind kind>
Expected<void> add_kind(ActiveSettings& settings, const std::string&) {
  settings.kinds.add(kind);
  return {};
}

constexpr cli::OptionRow<ActiveSettings> kActiveRows[] = {
#define SNAG_ROW(kind, word, option, help, ...) \
  {option, nullptr, help, add_kind<active::Kind::kind>},
    SNAG_CANDIDATE_KINDS(SNAG_ROW)
#undef SNAG_ROW
        {"--runs", "N", "try each candidate in N runs; default 50",
         cli::set_number<&ActiveSettings::runs, 1, 1'000'000'000>},
    {"--watch", "N", "predict from N runs; default 3, or more if these show too little",
     cli::set_number<&ActiveSettings::watched, 1, 1000>},
    {"--cycle", "N", "deadlocks of at most N threads, 2 to 8; default 5",
     cli::set_number<&ActiveSettings::cycle, 2, kMaxDirectedSides>},
    {"--time", "SECONDS", "no further runs after that time; default no limit",
     cli::set_seconds<&ActiveSettings::time, 1'000'000'000>},
    cli::run_settings_row<ActiveSettings>(kOnActive),
    {"--strategy", "NAME",
     "for checks: active, or assert, which pauses by chance and less and less; default active",
     set_strategy},
    {"--file", "FILE",
     "file that keeps the verdicts, so that the next call continues; default snag.active",
     cli::set_text<&ActiveSettings::file>},
    cli::kAllocatorRow<ActiveSettings>,
    cli::kSuppressionsRow<ActiveSettings>,
    cli::kJsonRow<ActiveSettings>,
    cli::kFormatRow<ActiveSettings>,
    cli::kTraceFolderRow<ActiveSettings>,
    cli::kQuietRow<ActiveSettings>,
    cli::kShowOutputRow<ActiveSettings>,
    {"--all", nullptr, "show also each candidate that was not confirmed",
     cli::set_flag<&ActiveSettings::show_all>},
    {"--shrink-time", "SECONDS",
     "look for a simpler schedule of each failure for at most that long; default 3, 0: do not",
     cli::set_seconds_or_none<&ActiveSettings::shrink_time, 1'000'000>},
    {"--report", "FILE",
     "predict nothing, but confirm what ThreadSanitizer, Helgrind or DRD have reported; -: "
     "standard input",
     cli::set_text<&ActiveSettings::report>},
    cli::kStdinRow<ActiveSettings>,
};

Expected<active::ActiveOptions> options_of(const ActiveSettings& settings,
                                           const std::vector<std::string>& command) {
  std::optional<active::ToolReport> report;
  if (!settings.report.empty()) {
    const bool race = settings.kinds.contains(active::Kind::kRace);
    const bool deadlock = settings.kinds.contains(active::Kind::kDeadlock);
    if (!settings.kinds.is_empty() && !race && !deadlock)
      return usage_error("--report is of races and deadlocks: leave out --atomicity and --assert");
    auto read = active::read_tool_report(settings.report);
    if (!read) return tl::unexpected(read.error());
    report = std::move(*read);
    if (race != deadlock && (race ? report->races : report->lock_orders) == 0) {
      return tl::unexpected(
          Error{ErrorKind::kNothingRan,
                fmt::format("the report has {} and {}: leave out {}, there is nothing to confirm",
                            counted(report->races, "race", "races"),
                            counted(report->lock_orders, "lock order", "lock orders"),
                            race ? "--race" : "--deadlock")});
    }
    if (command.empty()) {
      return usage_error(fmt::format(
          "the report has {} and {}; name the program to look for them in, the "
          "same source compiled by snag c++: snag active --report FILE -- program [arguments]",
          counted(report->races, "race", "races"),
          counted(report->lock_orders, "lock order", "lock orders")));
    }
  }
  auto named = cli::named_program(command, settings.stdin_file,
                                  "snag active [options] -- program [arguments]");
  if (!named) return tl::unexpected(named.error());
  active::ActiveOptions options;
  explore::ExploreOptions& explore = options.explore;
  explore.program = std::move(named->program);
  explore.program_hash = named->hash;
  explore.settings = settings.run.values;
  explore.runs = settings.runs;
  explore.time = std::chrono::duration<double>(settings.time);
  explore.shrink_time = std::chrono::duration<double>(settings.shrink_time);
  explore.trace_folder = settings.out;
  if (!settings.suppressions.empty()) {
    auto suppressions = suppress::Suppressions::read(settings.suppressions);
    if (!suppressions) return tl::unexpected(suppressions.error());
    explore.suppressions = std::move(*suppressions);
  }
  if (!settings.kinds.is_empty()) options.wanted = settings.kinds;
  options.may_watch_more = settings.watched == 0;
  if (settings.watched > 0) options.watched_runs = settings.watched;
  options.use_breakpoints = settings.use_breakpoints;
  options.longest_cycle = static_cast<std::uint32_t>(settings.cycle);
  options.file = settings.file;
  options.report = std::move(report);
  return options;
}

// Traces are written when something was found, which may take hours: check now that there is a
// folder for them.
Expected<void> check_out(const std::string& folder) {
  namespace fs = std::filesystem;
  std::error_code error;
  fs::path there = fs::absolute(folder, error).lexically_normal();
  if (!there.has_filename()) there = there.parent_path();
  while (there.has_relative_path() && !fs::exists(fs::symlink_status(there, error)))
    there = there.parent_path();
  if (!fs::is_directory(there, error)) {
    return usage_error(
        fmt::format("--out '{}' is not a folder: name one, or a name that is free", folder));
  }
  if (access(there.c_str(), W_OK | X_OK) != 0) {
    return usage_error(fmt::format("cannot write traces to '{}': {}; name another folder by --out",
                                   folder, std::strerror(errno)));
  }
  return {};
}

int fail(const Error& error) {
  fmt::print(stderr, "snag active: {}\n", error.message);
  return cli::exit_code_of(error);
}

}  // namespace

int active_command(int argc, char** argv) {
  cli::OptionParser app(
      "Predict from a few runs which races, deadlocks, violations of atomicity and failing checks\n"
      "there could be, and steer further runs into each of them:\n"
      "  snag active [options] -- program [arguments]\n"
      "  snag active --report FILE [options] -- program [arguments]\n",
      "snag active");
  ActiveSettings settings;
  cli::SplitLine line;
  if (const auto code =
          cli::parse_options(app, std::span<const cli::OptionRow<ActiveSettings>>(kActiveRows),
                             argc, argv, cli::Words::kEndOptions, settings, line))
    return *code;
  cli::draw_seed(settings.run);
  cli::count_processors(settings.run);
  if (const auto checked = check_out(settings.out); !checked) return fail(checked.error());
  const auto options = options_of(settings, line.tail);
  if (!options) return fail(options.error());
  cli::catch_interrupts();

  active::ActiveHooks hooks;
  Progress progress("snag active", !settings.quiet);
  hooks.progress = [&](std::size_t number, std::size_t count, std::uint64_t runs) {
    if (count == 0) return;
    progress.update([&] {
      return fmt::format("candidate {} of {}: {}", grouped(number + 1), grouped(count),
                         counted(runs, "run", "runs"));
    });
  };
  hooks.should_stop = [] { return cli::interrupted_by() != 0; };
  binary::Symbolizer symbolizer;
  const auto result = active::test_actively(*options, symbolizer, hooks);
  progress.finish();
  if (!result) return fail(result.error());

  int code = kExitClean;
  if (result->interrupted) code = 128 + cli::interrupted_by();
  if (active::count_of(*result, active::Verdict::End::kConfirmed) > 0 ||
      !result->failures.empty() || !result->earlier_failures.empty())
    code = kExitFailureFound;
  const bool is_of_another =
      result->report && !result->report->is_of_program() && !result->interrupted;
  const bool is_blind = result->lacks_debug_info && result->has_threads &&
                        result->verdicts.empty() && code == kExitClean;
  if ((is_of_another && code == kExitClean) || is_blind) code = kExitNothingRan;
  active::ActiveReport report(*result, symbolizer, settings.show_all);
  report.exit_code = code;
  report.program = options->explore.program.path;
  report.seed = settings.run.values.seed;
  fmt::print("{}",
             settings.format->write(report, {painter_for(STDOUT_FILENO), settings.show_output}));
  for (const std::string& warning : result->warnings)
    fmt::print(stderr, "snag active: warning: {}\n", warning);
  if (result->lacks_debug_info && result->has_threads) {
    fmt::print(stderr,
               "snag active: the program has no debug information, so nothing but deadlocks can be "
               "predicted: compile it with -g, and do not strip it\n");
  } else if (is_of_another) {
    fmt::print(stderr,
               "snag active: no entry of the report is in this program: give the program that was "
               "compiled by snag c++ from the same source\n");
  }
  return code;
}

}  // namespace snag::cli
