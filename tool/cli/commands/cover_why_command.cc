// Implements command.h: snag cover why: explains by some controlled runs why pairs are not covered.

#include <fmt/format.h>

#include <cstdlib>
#include <memory>

#include "tool/cli/commands/command.h"
#include "tool/cli/options/cover_files.h"
#include "tool/cli/options/exit_codes.h"
#include "tool/cli/options/interrupt.h"
#include "tool/cli/options/option_table.h"
#include "tool/cli/options/program_line.h"
#include "tool/cli/options/shared_rows.h"
#include "tool/coverage/explain/explain.h"

namespace snag::cli {
namespace {

constexpr const char* kCoverWhyName = "snag cover why";

struct CoverWhySettings {
  std::uint64_t runs = 100;
  ChosenSettings run{.values = without_checks({.seed = 1})};
  std::string data = coverage::kDefaultCoverFile;
  std::string stdin_file;
};

constexpr cli::OptionRow<CoverWhySettings> kCoverWhyRows[] = {
    {"--runs", "N", "examine N runs; default 100",
     cli::set_number<&CoverWhySettings::runs, 1, 1'000'000>},
    run_settings_row<CoverWhySettings>(kOnCoverWhy),
    kStdinRow<CoverWhySettings>,
    {"-i,--input", "FILE", "the data file; default snag.cover",
     cli::set_text<&CoverWhySettings::data>},
};

Expected<coverage::ExplainOptions> explain_options(const CoverWhySettings& settings,
                                                   const std::vector<std::string>& command) {
  auto named = cli::named_program(command, settings.stdin_file,
                                  "snag cover why [options] -- program [arguments]");
  if (!named) return tl::unexpected(named.error());
  coverage::ExplainOptions options;
  options.program_hash = named->hash;
  options.file = settings.data;
  options.runs.program = std::move(named->program);
  options.runs.should_stop = [] { return cli::interrupted_by() != 0; };
  Config& config = options.runs.session.config;
  config.settings = settings.run.values;
  config.run_stride = 1;
  config.max_runs = settings.runs;
  return options;
}

void print_summary(const coverage::Explanation& explanation) {
  const auto say = [](const std::string& text) {
    fmt::print(stderr, "{}: {}\n", kCoverWhyName, text);
  };
  if (explanation.is_cut) say("the trace was full: only the first of the runs were examined");
  if (explanation.failed > 0) {
    say(fmt::format("{} failed, and count until then; snag run shows how",
                    counted(explanation.failed, "run", "runs")));
  }
  std::uint64_t proposed = 0;
  for (const coverage::ExplainedPair& pair : explanation.pairs) proposed += !pair.reason.empty();
  say(
      fmt::format("{} not covered; in {}: {} covered, {} without both accesses, {} impossible as "
                  "far as was seen",
                  counted(explanation.uncovered, "location pair is", "location pairs are"),
                  counted(explanation.runs, "run", "runs"), grouped(explanation.now_covered),
                  grouped(explanation.unseen), grouped(proposed)));
  if (proposed > 0) say("snag cover prune --propose prints those in the form of its file");
}

}  // namespace

int cover_why_command(int argc, char** argv) {
  cli::OptionParser app(
      "Explain why location pairs are not covered: the locks that are held, the schedule that "
      "came\n"
      "closest, and whether the runs show that they cannot be covered.\n"
      "  snag cover why [options] -- program [arguments]\n",
      kCoverWhyName);
  CoverWhySettings settings;
  cli::SplitLine line;
  if (const auto code =
          cli::parse_options(app, std::span<const cli::OptionRow<CoverWhySettings>>(kCoverWhyRows),
                             argc, argv, cli::Words::kEndOptions, settings, line))
    return *code;
  auto options = explain_options(settings, line.tail);
  if (!options) return cli::complain(kCoverWhyName, options.error());
  cli::catch_interrupts();
  auto explanation = coverage::explain(*options);
  if (!explanation) return cli::complain(kCoverWhyName, explanation.error());
  fmt::print("{}", coverage::explanation_text(*explanation, explanation->file->data()));
  std::fflush(stdout);  // messages on standard error come after the report
  if (auto written = explanation->file->append(true); !written)
    return cli::complain(kCoverWhyName, written.error());
  print_summary(*explanation);
  return cli::interrupted_by() != 0 ? 128 + cli::interrupted_by() : kExitClean;
}

}  // namespace snag::cli
