// Implements command.h: snag cover report: shows what is covered, and what is not.

#include <fmt/format.h>

#include <charconv>

#include "tool/cli/commands/command.h"
#include "tool/cli/options/cover_files.h"
#include "tool/cli/options/exit_codes.h"
#include "tool/cli/options/option_table.h"
#include "tool/coverage/report/report_text.h"

namespace snag::cli {
namespace {

constexpr const char* kCoverReportName = "snag cover report";

struct CoverReportSettings {
  std::uint32_t metrics = coverage::kAllMetrics;
  bool has_metrics = false;
  bool uncovered = false, covered = false, json = false, annotate = false;
  std::string lcov, prune;
  double fail_under = -1;
  std::string fail_under_text;  // as it was given
};

Expected<void> set_metrics(CoverReportSettings& settings, const std::string& text) {
  const auto metrics = coverage::parse_metrics(text);
  if (!metrics) return tl::unexpected(metrics.error());
  settings.metrics = *metrics;
  settings.has_metrics = true;
  return {};
}

Expected<void> set_percent(CoverReportSettings& settings, const std::string& text) {
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), settings.fail_under);
  // Written so that "nan" fails too.
  if (error != std::errc{} || end != text.data() + text.size() ||
      !(settings.fail_under >= 0 && settings.fail_under <= 100))
    return usage_error(fmt::format("needs a percentage from 0 to 100, not '{}'", text));
  settings.fail_under_text = text;
  return {};
}

constexpr cli::OptionRow<CoverReportSettings> kCoverReportRows[] = {
    {"--metric", "NAMES", "only these: " SNAG_METRIC_WORDS, set_metrics},
    {"--uncovered", nullptr,
     "also list the pairs, and waits at places that take locks, that are not covered",
     cli::set_flag<&CoverReportSettings::uncovered>},
    {"--covered", nullptr, "also list those that are",
     cli::set_flag<&CoverReportSettings::covered>},
    {"--json", nullptr, "one JSON object; the lists above if asked for",
     cli::set_flag<&CoverReportSettings::json>},
    {"--lcov", "FILE",
     "write lines, functions and (as branches) location pairs for lcov; - for "
     "standard output",
     cli::set_text<&CoverReportSettings::lcov>},
    {"--annotate", nullptr, "the source, with what is covered of each line",
     cli::set_flag<&CoverReportSettings::annotate>},
    {"--prune", "FILE", "pairs that cannot be covered; default snag.prune, if it is there",
     cli::set_text<&CoverReportSettings::prune>},
    {"--fail-under", "PERCENT",
     "exit with 1 if less of the location pairs (or of each --metric) is covered", set_percent},
};

// 0, or 1 with a message if too little is covered.
int check_limit(const coverage::ReportInput& input, const CoverReportSettings& settings) {
  if (settings.fail_under < 0) return kExitClean;
  std::fflush(stdout);  // the verdict comes after the report
  int code = kExitClean;
  if (!input.data.is_complete) {
    fmt::print(stderr,
               "{}: the data is not complete (a measurement was killed or is still running, or a "
               "file was cut), so --fail-under {} is not reached: measure again\n",
               kCoverReportName, settings.fail_under_text);
    code = kExitFailureFound;
  }
  const std::uint32_t metrics =
      settings.has_metrics ? settings.metrics : metric_bit(Metric::kLocationPairs);
  coverage::for_each_metric(metrics, [&](Metric metric) {
    const coverage::Score& score = input.totals.of(metric);
    const auto fail = [&](const std::string& why) {
      fmt::print(stderr, "{}: {}\n", kCoverReportName, why);
      code = kExitFailureFound;
    };
    if (score.target == 0) {
      fail(fmt::format("there are no {} to cover: --fail-under {} is not reached",
                       coverage::long_name(metric), settings.fail_under_text));
      return;
    }
    if (!input.totals.has_target[static_cast<std::size_t>(metric)]) {
      fail(fmt::format("how many {} there could be is not known: leave them out of --metric",
                       coverage::long_name(metric)));
      return;
    }
    if (100.0 * static_cast<double>(score.covered) <
        settings.fail_under * static_cast<double>(score.target)) {
      fail(fmt::format(
          "{} of the {} are covered, less than {} %",
          coverage::percent_text_below(score.covered, score.target, settings.fail_under),
          coverage::long_name(metric), settings.fail_under_text));
    }
  });
  return code;
}

}  // namespace

int cover_report_command(int argc, char** argv) {
  cli::OptionParser app(
      "Show what is covered, and what is not:\n"
      "  snag cover report [options] [data file...]\n",
      kCoverReportName);
  CoverReportSettings settings;
  std::vector<std::string> words;
  if (const auto code = cli::parse_with_words(app, kCoverReportRows, argc, argv, settings, words))
    return *code;
  if (settings.json && (settings.annotate || settings.lcov == "-")) {
    return cli::complain(kCoverReportName, {ErrorKind::kUsage,
                                            "only one result fits on standard output: leave out "
                                            "--json, --annotate or --lcov -"});
  }
  auto data = cli::read_cover_files(words, kCoverReportName);
  if (!data) return cli::complain(kCoverReportName, data.error());
  if (const std::uint32_t missing = settings.metrics & ~data->metrics();
      missing != 0 && settings.metrics != coverage::kAllMetrics) {
    return cli::complain(kCoverReportName, {ErrorKind::kUsage, coverage::not_measured(missing)});
  }
  auto prune = cli::read_prune_file(settings.prune);
  if (!prune) return cli::complain(kCoverReportName, prune.error());

  const coverage::Wording wording(*data);
  const coverage::Pruned pruned = coverage::find_pruned(*prune, *data, wording);
  const coverage::Totals totals = coverage::count_totals(*data, pruned, wording);
  const coverage::ReportInput input{*data, wording, *prune, pruned, totals, settings.metrics};
  if (!settings.lcov.empty()) {
    if (auto written = cli::write_result(settings.lcov, coverage::report_lcov(input)); !written)
      return cli::complain(kCoverReportName, written.error());
  }
  if (settings.json) {
    fmt::print("{}", coverage::report_json(input, {settings.covered, settings.uncovered}));
  } else if (settings.lcov != "-") {
    if (settings.annotate) fmt::print("{}\n", coverage::annotated_text(input));
    fmt::print("{}", coverage::summary_text(input));
    for (const auto& [wanted, which] :
         {std::pair(settings.covered, coverage::Which::kCovered),
          std::pair(settings.uncovered, coverage::Which::kUncovered)}) {
      if (wanted) fmt::print("\n{}", coverage::lists_text(input, which));
    }
  }
  return check_limit(input, settings);
}

}  // namespace snag::cli
