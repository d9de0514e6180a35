// Implements command.h: snag cover curve: shows how coverage grew.

#include <fmt/format.h>

#include "tool/base/text.h"
#include "tool/binary/symbolizer.h"
#include "tool/cli/commands/command.h"
#include "tool/cli/options/cover_files.h"
#include "tool/cli/options/exit_codes.h"
#include "tool/cli/options/option_table.h"
#include "tool/coverage/report/curve.h"

namespace snag::cli {
namespace {

constexpr const char* kCoverCurveName = "snag cover curve";

struct CoverCurveSettings {
  std::uint32_t metrics = coverage::kAllMetrics;
  coverage::CurveBy by = coverage::CurveBy::kTime;
  std::string svg, csv;
};

Expected<void> set_metrics(CoverCurveSettings& settings, const std::string& text) {
  const auto metrics = coverage::parse_metrics(text);
  if (!metrics) return tl::unexpected(metrics.error());
  settings.metrics = *metrics;
  return {};
}

Expected<void> set_by(CoverCurveSettings& settings, const std::string& text) {
  if (text == "time") {
    settings.by = coverage::CurveBy::kTime;
  } else if (text == "calls") {
    settings.by = coverage::CurveBy::kCalls;
  } else if (text == "runs") {
    settings.by = coverage::CurveBy::kRuns;
  } else {
    static constexpr std::string_view kNames[] = {"time", "calls", "runs"};
    return must_be(kNames, text);
  }
  return {};
}

constexpr cli::OptionRow<CoverCurveSettings> kCoverCurveRows[] = {
    {"--by", "WHAT", "over time, calls or runs; default time", set_by},
    {"--metric", "NAMES", "only these: " SNAG_METRIC_WORDS, set_metrics},
    {"--svg", "FILE", "draw it; - for standard output", cli::set_text<&CoverCurveSettings::svg>},
    {"--csv", "FILE", "write a table; - for standard output, which is the default",
     cli::set_text<&CoverCurveSettings::csv>},
};

}  // namespace

int cover_curve_command(int argc, char** argv) {
  cli::OptionParser app(
      "Show how coverage grew:\n"
      "  snag cover curve [options] [data file...]\n",
      kCoverCurveName);
  CoverCurveSettings settings;
  std::vector<std::string> words;
  if (const auto code = cli::parse_with_words(app, kCoverCurveRows, argc, argv, settings, words))
    return *code;
  if (settings.svg == "-" && settings.csv == "-") {
    return cli::complain(kCoverCurveName, {ErrorKind::kUsage,
                                           "only one of --svg and --csv fits on standard output"});
  }
  auto data = cli::read_cover_files(words, kCoverCurveName);
  if (!data) return cli::complain(kCoverCurveName, data.error());
  const auto curves = coverage::make_curves(*data, settings.by, settings.metrics);
  if (!settings.svg.empty()) {
    const std::string svg =
        coverage::curve_svg(curves, settings.by, std::string(base_name(data->build.program)));
    if (auto written = cli::write_result(settings.svg, svg); !written)
      return cli::complain(kCoverCurveName, written.error());
  }
  if (!settings.csv.empty() || settings.svg.empty()) {
    const std::string csv = coverage::curve_csv(curves, settings.by);
    if (auto written = cli::write_result(settings.csv.empty() ? "-" : settings.csv, csv); !written)
      return cli::complain(kCoverCurveName, written.error());
  }
  return kExitClean;
}

}  // namespace snag::cli
