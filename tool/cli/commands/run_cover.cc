#include "tool/cli/commands/run_cover.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "tool/base/progress.h"
#include "tool/base/terminal.h"
#include "tool/cli/options/exit_codes.h"
#include "tool/cli/options/interrupt.h"
#include "tool/coverage/data/file.h"
#include "tool/coverage/measure/pursuit.h"
#include "tool/report/formats/json.h"
#include "tool/report/formats/text.h"
#include "tool/report/view/failure_view.h"
#include "tool/toolchain/compiler_args.h"

namespace snag::cli {
namespace {

using coverage::Pursued;

std::string_view name_of(Pursued::End end) {
  switch (end) {
    case Pursued::End::kCovered:
      return "covered";
    case Pursued::End::kOnTheWay:
      return "covered on the way";
    case Pursued::End::kNot:
      return "not covered";
    case Pursued::End::kUnknown:
      return "not in the program itself";
  }
  return "";
}

Expected<coverage::PruneList> read_pruned(const RunOptions& settings) {
  std::error_code ignored;
  if (settings.prune_file.empty() && !std::filesystem::exists(coverage::kDefaultPruneFile, ignored))
    return coverage::PruneList();
  return coverage::PruneList::read(settings.prune_file.empty() ? coverage::kDefaultPruneFile
                                                               : settings.prune_file);
}

std::string pair_text(const Pursued& pair, const Painter& painter) {
  switch (pair.end) {
    case Pursued::End::kCovered:
      return fmt::format("{} after {} {}\n  {}\n  to see it:  snag replay {}\n",
                         painter.paint(Colour::kGreen, "covered"), pair.runs,
                         pair.runs == 1 ? "run" : "runs", pair.text,
                         toolchain::quote_argument(pair.trace_path));
    case Pursued::End::kOnTheWay:
      return fmt::format("{} to another pair\n  {}\n",
                         painter.paint(Colour::kGreen, "covered on the way"), pair.text);
    case Pursued::End::kNot:
      return fmt::format("{} in {} {}\n  {}\n", painter.paint(Colour::kYellow, "not covered"),
                         pair.runs, pair.runs == 1 ? "run" : "runs", pair.text);
    case Pursued::End::kUnknown:
      return fmt::format("{}: only instructions of the program itself can be held at\n  {}\n",
                         painter.paint(Colour::kYellow, "not tried"), pair.text);
  }
  return "";
}

// The result of the pursuit. The older names `snag` and `exit_code` stay in its JSON.
struct CoverReport : report::Report {
  const coverage::PursuitResult* result = nullptr;

  std::string text(const report::TextStyle& style) const override;
  report::Json fields() const override;
};

report::Json CoverReport::fields() const {
  report::Json root = {{"snag", "run-cover"},
                       {"exit_code", exit_code},
                       {"runs", result->runs},
                       {"target", result->target},
                       {"covered_before", result->before},
                       {"covered", result->after},
                       {"not_tried", result->not_tried},
                       {"interrupted", result->interrupted}};
  root["pairs"] = report::Json::array();
  for (const Pursued& pair : result->pairs) {
    root["pairs"].push_back({{"pair", pair.text},
                             {"end", name_of(pair.end)},
                             {"runs", pair.runs},
                             {"trace", pair.trace_path}});
  }
  root["failures"] = report::failures_json(failures);
  for (std::size_t i = 0; i < failures.size(); ++i) {
    const auto& failure = result->failures[i].trace.failure;
    root["failures"][i]["message"] = failure.message;
    root["failures"][i]["location"] = failure.location;
  }
  return root;
}

std::string CoverReport::text(const report::TextStyle& style) const {
  std::string text;
  for (const report::FailureView& failure : failures)
    text += report::failure_text(failure, style.painter, style.all_output) + "\n";
  for (const Pursued& pair : result->pairs) text += pair_text(pair, style.painter) + "\n";
  text += fmt::format("location pairs: {} of {} covered, {} before; {} runs\n", result->after,
                      result->target, result->before, result->runs);
  if (result->not_tried > 0) {
    text += fmt::format("{} {} not tried: {}\n", result->not_tried,
                        result->not_tried == 1 ? "pair was" : "pairs were",
                        result->interrupted   ? "the search was interrupted"
                        : result->out_of_time ? "the time was over"
                                              : "the failure ended the search (--keep-going)");
  } else if (result->pairs.empty()) {
    text += "no pair of the target is missing\n";
  }
  return text;
}

}  // namespace

int run_cover(const RunOptions& settings, const explore::ExploreOptions& explore) {
  const auto fail = [](const Error& error) {
    fmt::print(stderr, "snag run: {}\n", error.message);
    return exit_code_of(error);
  };
  auto pruned = read_pruned(settings);
  if (!pruned) return fail(pruned.error());
  coverage::PursuitOptions options{
      explore, settings.cover_file.empty() ? coverage::kDefaultCoverFile : settings.cover_file,
      std::move(*pruned)};
  if (settings.runs == 0) options.explore.runs = RunOptions::kDefaultAttempts;

  coverage::PursuitHooks hooks;
  Progress progress("snag run", !settings.quiet);
  hooks.progress = [&](std::size_t number, std::size_t count, std::uint64_t runs) {
    progress.update([&] {
      return fmt::format("pair {} of {}: {}", grouped(number + 1), grouped(count),
                         counted(runs, "run", "runs"));
    });
  };
  hooks.should_stop = [] { return interrupted_by() != 0; };
  binary::Symbolizer symbolizer;
  const auto result = coverage::pursue(options, symbolizer, hooks);
  progress.finish();
  if (!result) return fail(result.error());

  int code = kExitClean;
  if (result->interrupted) code = 128 + interrupted_by();
  if (!result->failures.empty()) code = kExitFailureFound;
  CoverReport report;
  report.exit_code = code;
  report.program = explore.program.path;
  report.result = &*result;
  report::SourceText source;
  for (const explore::Finding& finding : result->failures)
    report.failures.push_back(report::view_of(finding, symbolizer, source));
  fmt::print("{}",
             settings.format->write(report, {painter_for(STDOUT_FILENO), settings.show_output}));
  return code;
}

}  // namespace snag::cli
