#include "tool/active/report/verdict_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "tool/active/report/named_title.h"
#include "tool/active/report/tool_report_text.h"
#include "tool/report/formats/json.h"
#include "tool/report/formats/text.h"
#include "tool/report/view/failure_view.h"
#include "tool/toolchain/compiler_args.h"

namespace snag::active {
namespace {

std::string runs_text(const Verdict& verdict) {
  std::string text = counted(verdict.runs, "run", "runs");
  if (verdict.earlier_runs > 0)
    text += fmt::format(" ({} of them before)", grouped(verdict.earlier_runs));
  return text;
}

std::string confirmed_text(const Verdict& verdict, const std::string& entry,
                           binary::Symbolizer& symbolizer, report::SourceText& source,
                           const Painter& painter, bool show_output) {
  const std::string title =
      verdict.finding
          ? named_title(verdict.candidate, report::view_of(*verdict.finding, symbolizer, source))
          : verdict.candidate.title;
  // Runs for another candidate may have confirmed it.
  const std::string when =
      verdict.runs > 0 ? "after " + runs_text(verdict) : "in a run for something else";
  std::string text = fmt::format(
      "{} {}{}: {}\n",
      painter.paint(Colour::kRed, fmt::format("confirmed {}", name_of(verdict.candidate.kind))),
      when, entry, title);
  if (!verdict.consequences.empty()) text += fmt::format("  {}\n", verdict.consequences);
  const auto add = [&](const explore::Finding& finding) {
    text += "\n" + report::failure_text(report::view_of(finding, symbolizer, source), painter,
                                        show_output);
  };
  if (verdict.trace_path.empty() && !verdict.finding)
    text += "  there is no trace of it: it could not be written\n";
  else if (verdict.is_repeated)
    text += fmt::format("  the failure is shown for another candidate: snag replay {}\n",
                        toolchain::quote_argument(verdict.trace_path));
  else if (verdict.finding)
    add(*verdict.finding);
  else
    text += fmt::format("  to see it again:   snag replay {}\n",
                        toolchain::quote_argument(verdict.trace_path));
  if (verdict.failure) {
    text += "\nwhat follows from it:\n";
    add(*verdict.failure);
  }
  if (!verdict.more_uses.empty()) text += "\nthe freed memory is also used elsewhere:\n";
  for (const explore::Finding& use : verdict.more_uses) {
    text += fmt::format("  {}: {}\n", report::message_of(report::view_of(use, symbolizer, source)),
                        use.trace_path);
  }
  return text;
}

// A verdict other than kConfirmed.
std::string other_text(const Verdict& verdict, const std::string& entry, const Painter& painter) {
  const auto painted = [&](std::string_view text) {
    return painter.paint(Colour::kYellow, std::string(text));
  };
  const Candidate& candidate = verdict.candidate;
  if (verdict.end == Verdict::End::kSuppressed) {
    const std::string by = candidate.suppressed_by.empty() ? "" : " by " + candidate.suppressed_by;
    return fmt::format("{}{}{}: {}: {}\n", painted(name_of(verdict.end)), by, entry,
                       name_of(candidate.kind), candidate.title);
  }
  if (verdict.end == Verdict::End::kHappened) {
    const char* what = verdict.is_explained ? "what failed then has another reason, which is shown"
                                            : "no failure came of it";
    return fmt::format("{} in {} of {}{}, and {}: {}: {}\n", painted(name_of(verdict.end)),
                       grouped(verdict.reached.happened), runs_text(verdict), entry, what,
                       name_of(candidate.kind), candidate.title);
  }
  if (verdict.end != Verdict::End::kNotReproduced) return "";
  return fmt::format("{} in {}{}: {}: {}\n  closest: {}\n", painted(name_of(verdict.end)),
                     runs_text(verdict), entry, name_of(candidate.kind), candidate.title,
                     closest(candidate, verdict.reached, verdict.obstacles));
}

// "3 races and 1 deadlock"
std::string kinds_text(const std::map<Kind, std::size_t>& counts) {
  std::string text;
  std::size_t left = counts.size();
  for (const auto& [kind, count] : counts) {
    const KindRow& row = row_of(kind);
    if (!text.empty()) text += left == 1 ? " and " : ", ";
    text += counted(count, row.singular, row.plural);
    --left;
  }
  return text;
}

// Counts of what only --all shows.
std::string rest_text(const ActiveResult& result, bool show_all) {
  std::map<Kind, std::size_t> missed;
  std::size_t harmless = 0, explained = 0, suppressed = 0;
  for (const Verdict& verdict : result.verdicts) {
    if (verdict.end == Verdict::End::kHappened)
      ++(verdict.is_explained ? explained : harmless);
    else if (verdict.end == Verdict::End::kNotReproduced)
      ++missed[verdict.candidate.kind];
    else if (verdict.end == Verdict::End::kSuppressed)
      ++suppressed;
  }
  const char* hint = show_all || result.report ? "" : " (--all shows them)";
  std::string text;
  if (!missed.empty()) text += fmt::format("  not reproduced{}: {}\n", hint, kinds_text(missed));
  if (harmless > 0) {
    text += fmt::format("  {}{} happened, and no failure came of it\n",
                        counted(harmless, "interleaving of accesses", "interleavings of accesses"),
                        hint);
  }
  if (explained > 0) {
    text += fmt::format("  {}{} happened where it failed for another reason, which is shown\n",
                        counted(explained, "interleaving of accesses", "interleavings of accesses"),
                        hint);
  }
  if (suppressed > 0) text += fmt::format("  {} suppressed{}\n", grouped(suppressed), hint);
  return text;
}

std::string nothing_text(const ActiveResult& result) {
  return fmt::format("nothing was predicted from {}{}\n",
                     counted(result.watched_runs, "run", "runs"),
                     result.has_threads ? "" : "; only one thread ran");
}

}  // namespace

std::string result_text(const ActiveResult& result, binary::Symbolizer& symbolizer,
                        const Painter& painter, const TextOptions& options) {
  std::string text;
  report::SourceText source;
  std::map<std::size_t, std::string> entries = entry_texts(result);
  for (std::size_t i = 0; i < result.verdicts.size(); ++i) {
    const Verdict& verdict = result.verdicts[i];
    if (verdict.end != Verdict::End::kConfirmed) continue;
    text += confirmed_text(verdict, entries[i], symbolizer, source, painter, options.show_output) +
            "\n";
  }
  for (const explore::Finding& finding : result.failures) {
    text += "met on the way to something else:\n" +
            report::failure_text(report::view_of(finding, symbolizer, source), painter,
                                 options.show_output) +
            "\n";
  }
  for (const ActiveResult::Earlier& earlier : result.earlier_failures) {
    text +=
        fmt::format("met on the way by an earlier call: {}\n  to see it again:   snag replay {}\n",
                    earlier.text, toolchain::quote_argument(earlier.trace_path));
  }
  if (!result.earlier_failures.empty()) text += "\n";
  for (std::size_t i = 0; i < result.verdicts.size(); ++i) {
    // Each entry of a report gets a verdict. Predictions alone would be too many to list.
    if (options.show_all || result.report)
      text += other_text(result.verdicts[i], entries[i], painter);
  }
  if (result.report) text += report_text(result, painter);
  const std::size_t confirmed = count_of(result, Verdict::End::kConfirmed);
  const std::size_t not_tried = count_of(result, Verdict::End::kNotTried);
  if (result.verdicts.empty() && !result.report) {
    text += nothing_text(result);
  } else {
    text += fmt::format("{} of {} confirmed, in {} steered after {} watched\n", grouped(confirmed),
                        counted(result.verdicts.size(), "candidate", "candidates"),
                        counted(result.runs, "run", "runs"), grouped(result.watched_runs));
  }
  if (!result.watched_more.empty())
    text += fmt::format("  {} runs were watched, since {}\n", grouped(result.watched_runs),
                        result.watched_more);
  text += rest_text(result, options.show_all);
  if (result.interrupted) text += "  interrupted: not all was tried that was to be\n";
  if (not_tried > 0)
    text += fmt::format("  {} not tried: call it again to continue\n", grouped(not_tried));
  if (result.left_out > 0) {
    text += fmt::format("  {} accesses were not examined: there were too many different ones\n",
                        grouped(result.left_out));
  }
  if (!result.verdicts.empty())
    text +=
        "  \"not reproduced\" does not mean \"impossible\": other inputs or more runs may show "
        "it\n";
  return text;
}

ActiveReport::ActiveReport(const ActiveResult& result, binary::Symbolizer& symbolizer,
                           bool show_all)
    : result_(result), symbolizer_(symbolizer), show_all_(show_all) {
  report::SourceText source;
  const auto add = [&](const explore::Finding& finding) {
    failures.push_back(report::view_of(finding, symbolizer, source));
  };
  for (const explore::Finding& finding : result.failures) add(finding);
  for (const Verdict& verdict : result.verdicts) {
    if (verdict.finding && !verdict.is_repeated) add(*verdict.finding);
    if (verdict.failure) add(*verdict.failure);
    for (const explore::Finding& use : verdict.more_uses) add(use);
  }
}

std::string ActiveReport::text(const report::TextStyle& style) const {
  return result_text(result_, symbolizer_, style.painter, {style.all_output, show_all_});
}

report::Json ActiveReport::fields() const {
  const ActiveResult& result = result_;
  report::SourceText source;
  const auto json_of = [&](const explore::Finding& finding) {
    return report::failure_json(report::view_of(finding, symbolizer_, source));
  };
  report::Json root;
  root["program"] = program;
  root["seed"] = seed;
  root["watched_runs"] = result.watched_runs;
  root["runs"] = result.runs;
  root["accesses"] = result.accesses;
  root["left_out"] = result.left_out;
  root["interrupted"] = result.interrupted;
  root["debug_info"] = !result.lacks_debug_info;
  root["warnings"] = result.warnings;
  if (result.report) root["report"] = report_json(result);
  root["candidates"] = nlohmann::ordered_json::array();
  for (const Verdict& verdict : result.verdicts) {
    nlohmann::ordered_json entry;
    entry["kind"] = name_of(verdict.candidate.kind);
    entry["title"] = verdict.candidate.title;
    entry["sides"] = nlohmann::ordered_json::array();
    for (const Side& side : verdict.candidate.sides) entry["sides"].push_back(side.text);
    entry["verdict"] = name_of(verdict.end);
    entry["runs"] = verdict.runs;
    entry["earlier_runs"] = verdict.earlier_runs;
    if (verdict.end == Verdict::End::kConfirmed) {
      entry["trace"] = verdict.trace_path;
      if (verdict.candidate.kind == Kind::kRace) {
        entry["harmful"] = verdict.harmful;
        entry["consequences"] = verdict.consequences;
        if (verdict.failure) {
          entry["failure_trace"] = verdict.failure->trace_path;
          entry["failure"] = json_of(*verdict.failure);
        }
        for (const explore::Finding& use : verdict.more_uses)
          entry["more_uses"].push_back(json_of(use));
      }
      if (verdict.finding) entry["finding"] = json_of(*verdict.finding);
    } else if (verdict.end == Verdict::End::kHappened) {
      entry["explained"] = verdict.is_explained;
    } else if (verdict.end == Verdict::End::kSuppressed) {
      entry["suppressed_by"] = verdict.candidate.suppressed_by;
    } else if (verdict.end == Verdict::End::kNotReproduced) {
      entry["closest"] = closest(verdict.candidate, verdict.reached, verdict.obstacles);
    }
    root["candidates"].push_back(std::move(entry));
  }
  root["failures"] = nlohmann::ordered_json::array();
  for (const explore::Finding& finding : result.failures) {
    report::Json entry = json_of(finding);
    entry["message"] = finding.trace.failure.message;
    entry["location"] = finding.trace.failure.location;
    root["failures"].push_back(std::move(entry));
  }
  root["earlier_failures"] = nlohmann::ordered_json::array();
  for (const ActiveResult::Earlier& earlier : result.earlier_failures)
    root["earlier_failures"].push_back({{"text", earlier.text}, {"trace", earlier.trace_path}});
  return root;
}

}  // namespace snag::active
