#include "tool/cli/commands/run_gen_session.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <sstream>

#include "tool/base/progress.h"
#include "tool/base/terminal.h"
#include "tool/base/whole_file.h"
#include "tool/cli/options/exit_codes.h"
#include "tool/cli/options/interrupt.h"
#include "tool/cli/options/program_line.h"
#include "tool/cli/options/shared_rows.h"
#include "tool/gen/report/gen_report.h"
#include "tool/gen/session/gen_session.h"
#include "tool/gen/session/result_files.h"
#include "tool/report/view/failure_view.h"

namespace snag::cli {
namespace {

// Long enough for most classes, short enough to wait for.
constexpr double kDefaultSeconds = 60;
// With six threads, one call each has 720 orders; seven have too many to be judged.
constexpr std::uint64_t kMostThreads = 6;
static_assert(kMostThreads <= gen::kMaxTestThreads);

Expected<void> set_policy(GenSessionArgs& settings, const std::string& text) {
  for (std::size_t i = 0; i < std::size(gen::kPolicyNames); ++i) {
    if (text != gen::kPolicyNames[i]) continue;
    settings.session.policy = static_cast<gen::PolicyKind>(i);
    return {};
  }
  const std::vector<std::string_view> names(std::begin(gen::kPolicyNames),
                                            std::end(gen::kPolicyNames));
  return must_be(names, text);
}

Expected<void> set_schedules(GenSessionArgs& settings, const std::string& text) {
  static constexpr std::string_view kNames[] = {"controlled", "system"};
  if (text != kNames[0] && text != kNames[1]) return must_be(kNames, text);
  settings.session.system_schedules = text == "system";
  return {};
}

// "all", "results,races", or "-races" for all but races.
Expected<void> set_oracle(GenSessionArgs& settings, const std::string& text) {
  gen::OracleOptions& oracle = settings.session.oracle;
  struct Switch {
    const char* name;
    bool gen::OracleOptions::*member;
  };
  static constexpr Switch kSwitches[] = {
      {"exceptions", &gen::OracleOptions::exceptions}, {"crashes", &gen::OracleOptions::crashes},
      {"deadlocks", &gen::OracleOptions::deadlocks},   {"heap", &gen::OracleOptions::heap},
      {"races", &gen::OracleOptions::races},           {"locks", &gen::OracleOptions::locks},
      {"results", &gen::OracleOptions::results}};
  const auto set_all = [&](bool value) {
    for (const Switch& one : kSwitches) oracle.*one.member = value;
  };
  if (text.empty()) return usage_error("must not be empty");
  set_all(text.front() == '-' || text == "all");
  std::istringstream words(text);
  for (std::string word; std::getline(words, word, ',');) {
    const bool value = word.empty() || word.front() != '-';
    if (!value) word.erase(0, 1);
    if (word == "all") continue;
    const auto found = std::find_if(std::begin(kSwitches), std::end(kSwitches),
                                    [&](const Switch& one) { return word == one.name; });
    if (found == std::end(kSwitches)) {
      return usage_error(
          fmt::format("is a list of exceptions, crashes, deadlocks, heap, races, locks, results, "
                      "each with '-' before it to leave it out; not '{}'",
                      text));
    }
    oracle.*found->member = value;
  }
  if (std::none_of(std::begin(kSwitches), std::end(kSwitches),
                   [&](const Switch& one) { return oracle.*one.member; })) {
    return usage_error(fmt::format("leaves nothing to look for: '{}'", text));
  }
  return {};
}

Expected<void> add_header(GenSessionArgs& settings, const std::string& text) {
  settings.headers.push_back(text);
  return {};
}

constexpr OptionRow<GenSessionArgs> kRunGenSessionRows[] = {
    {"--time", "SECONDS", "stop after that time; default 60, no limit when --tests is given",
     set_seconds<&GenSessionArgs::time, 1'000'000'000>},
    {"--tests", "N", "stop after N tests; default no limit",
     set_number<&GenSessionArgs::tests, 1, 1'000'000'000'000>},
    run_settings_row<GenSessionArgs>(kOnGen),
    {"--policy", "NAME",
     "which pairs of methods come next: covcon (by coverage), random, naive (least tried); default "
     "covcon",
     set_policy},
    {"--threads", "N", "threads of a test, 2 to 6; default 2",
     set_number<&GenSessionArgs::threads, 2, kMostThreads>},
    {"--schedules", "WHO",
     "controlled: many schedules of each test; system: one run of each, by the operating system; "
     "default controlled",
     set_schedules},
    {"--schedules-per-test", "N", "controlled schedules of each test; default 40",
     set_number<&GenSessionArgs::schedules_per_test, 1, 1'000'000>},
    {"--oracle", "LIST",
     "what counts: exceptions, crashes, deadlocks, heap, races, locks, results; '-races' leaves "
     "one "
     "out; default all",
     set_oracle},
    {"--keep-going", nullptr, "look for different violations after the first one",
     set_flag<&GenSessionArgs::keep_going>},
    {"--shrink-time", "SECONDS",
     "make each violation smaller, first the test, then its schedule, for at most that long; 0: "
     "report it as it was found; default 15",
     set_seconds_or_none<&GenSessionArgs::shrink_time, 1'000'000>},
    {"--out", "DIR", "folder for tests and traces; default snag-gen",
     set_text<&GenSessionArgs::out>},
    {"--coverage", nullptr, "list the pairs of methods that did not run concurrently",
     set_flag<&GenSessionArgs::coverage>},
    {"--coverage-csv", "FILE", "coverage of pairs over time",
     set_text<&GenSessionArgs::coverage_csv>},
    kJsonRow<GenSessionArgs>,
    kFormatRow<GenSessionArgs>,
    kQuietRow<GenSessionArgs>,
    {"--test-header", "FILE", "what the test that is written includes", add_header},
};

int exit_code(const gen::Outcome& outcome) {
  if (!outcome.violations.empty()) return kExitFailureFound;
  if (outcome.error) return exit_code_of(*outcome.error);
  if (outcome.interrupted) return 128 + interrupted_by();
  return outcome.totals.tests == 0 ? kExitNothingRan : kExitClean;
}

// Prints the last one immediately: a session may run for hours, or be killed.
void print_violation(const GenSessionArgs& settings, const gen::DriverInfo& driver,
                     const gen::Outcome& outcome, binary::Symbolizer& symbolizer) {
  const gen::FoundViolation& found = outcome.violations.back();
  report::SourceText source;
  std::optional<report::FailureView> view;
  if (found.finding) view = report::view_of(*found.finding, symbolizer, source);
  if (settings.keep_going) fmt::print("violation {}: ", outcome.violations.size());
  fmt::print("{}\n", gen::violation_text(driver, outcome, found, view ? &*view : nullptr,
                                         painter_for(STDOUT_FILENO)));
  std::fflush(stdout);
}

}  // namespace

std::span<const OptionRow<GenSessionArgs>> gen_session_options() { return kRunGenSessionRows; }

int run_gen_session(GenSessionArgs& settings, gen::DriverInfo driver,
                    const std::function<void()>& found) {
  gen::GenSessionOptions& session = settings.session;
  draw_seed(settings.run);
  session.run = settings.run.values;
  session.tests = settings.tests;
  session.seconds = settings.time > 0 ? settings.time : settings.tests > 0 ? 0 : kDefaultSeconds;
  session.threads = settings.threads;
  session.schedules = static_cast<std::uint32_t>(settings.schedules_per_test);
  session.keep_going = settings.keep_going;
  session.shrink_seconds = settings.shrink_time;
  session.out = settings.out;
  if (driver.headers.empty()) driver.headers = settings.headers;
  const auto folder = gen::ResultFolder::make(session.out);
  if (!folder) {
    fmt::print(stderr, "snag gen: {}\n", folder.error().message);
    return exit_code_of(folder.error());
  }
  catch_interrupts();
  binary::Symbolizer symbolizer;
  Progress progress("snag gen", !settings.quiet);
  gen::GenHooks hooks;
  hooks.progress = [&](const gen::GenTotals& totals) {
    progress.update([&] { return gen::gen_progress_line(totals); });
  };
  hooks.found = [&](const gen::Outcome& outcome) {
    found();
    progress.finish();
    if (settings.format->is_text()) print_violation(settings, driver, outcome, symbolizer);
  };
  hooks.should_stop = [] { return interrupted_by() != 0; };
  const gen::Outcome outcome = gen::run_gen(session, driver, symbolizer, hooks);
  progress.finish();

  const int code = exit_code(outcome);
  if (!settings.coverage_csv.empty()) {
    const auto written = write_whole_file(settings.coverage_csv, gen::coverage_csv(outcome));
    if (!written) {
      fmt::print(stderr, "snag gen: {}\n", written.error().message);
      return kExitUsage;
    }
  }
  gen::GenReport report(driver, session, outcome, symbolizer, settings.coverage);
  report.exit_code = code;
  fmt::print("{}", settings.format->write(report, {painter_for(STDOUT_FILENO), false}));
  std::fflush(stdout);
  if (outcome.error) fmt::print(stderr, "snag gen: {}\n", outcome.error->message);
  return code;
}

}  // namespace snag::cli
