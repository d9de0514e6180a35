#include "active/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "engine/compiler_args.h"
#include "report/failure_view.h"
#include "report/text.h"

namespace snag::active {
namespace {

using report::counted;

std::string runs_text(const Verdict& verdict) {
  std::string text = counted(verdict.runs, "run", "runs");
  if (verdict.earlier_runs > 0) text += fmt::format(" ({} of them before)", verdict.earlier_runs);
  return text;
}

// " (entry 2 of the report, line 40)", by verdict; empty where nothing was reported.
std::map<std::size_t, std::string> entry_texts(const ActiveResult& result) {
  constexpr std::size_t kMostNamed = 5;
  std::map<std::size_t, std::string> texts;
  if (!result.report) return texts;
  std::map<std::size_t, std::vector<std::size_t>> numbers;
  for (std::size_t i = 0; i < result.report->entries.size(); ++i) {
    for (const std::size_t verdict : result.report->entries[i].verdicts)
      numbers[verdict].push_back(i);
  }
  for (const auto& [verdict, entries] : numbers) {
    std::vector<std::string> names;
    for (const std::size_t i : entries) {
      if (names.size() == kMostNamed) break;
      names.push_back(fmt::format("{} (line {})", i + 1, result.report->entries[i].line));
    }
    std::string text =
        fmt::format("{} {}", entries.size() == 1 ? "entry" : "entries", fmt::join(names, ", "));
    if (entries.size() > kMostNamed)
      text += fmt::format(" and {} more", entries.size() - kMostNamed);
    texts[verdict] = ", " + text + " of the report";
  }
  return texts;
}

std::string confirmed_text(const Verdict& verdict, const std::string& entry,
                           engine::Symbolizer& symbolizer, report::SourceText& source,
                           const report::Painter& painter, bool show_output) {
  std::string text =
      fmt::format("{} after {}{}: {}\n",
                  painter.paint(report::Colour::kRed,
                                fmt::format("confirmed {}", name_of(verdict.candidate.kind))),
                  runs_text(verdict), entry, verdict.candidate.title);
  if (!verdict.consequences.empty()) text += fmt::format("  {}\n", verdict.consequences);
  const auto add = [&](const engine::Finding& finding) {
    text += "\n" + report::failure_text(report::view_of(finding, symbolizer, source), painter,
                                        show_output);
  };
  if (verdict.is_repeated)
    text += fmt::format("  the failure is shown for another candidate: snag replay {}\n",
                        quote_argument(verdict.trace_path));
  else if (verdict.finding)
    add(*verdict.finding);
  else
    text +=
        fmt::format("  to see it again:   snag replay {}\n", quote_argument(verdict.trace_path));
  if (verdict.failure) {
    text += "\nwhat follows from it:\n";
    add(*verdict.failure);
  }
  return text;
}

std::string_view name_of(Verdict::End end) {
  switch (end) {
    case Verdict::End::kConfirmed:
      return "confirmed";
    case Verdict::End::kHappened:
      return "happened";
    case Verdict::End::kNotReproduced:
      return "not reproduced";
    case Verdict::End::kNotTried:
      return "not tried";
  }
  return "";
}

// What became of it; nothing: it is not in this program.
std::optional<Verdict::End> end_of(const EntryResult& entry, const ActiveResult& result) {
  std::optional<Verdict::End> best;
  for (const std::size_t i : entry.verdicts) {
    const Verdict::End end =
        i < result.verdicts.size() ? result.verdicts[i].end : Verdict::End::kNotTried;
    if (!best || end < *best) best = end;
  }
  return best;
}

// Entries that could not be tried, and what became of all.
std::string report_text(const ActiveResult& result, const report::Painter& painter) {
  std::string text;
  std::map<std::optional<Verdict::End>, std::size_t> counts;
  const ReportResult& report = *result.report;
  for (std::size_t i = 0; i < report.entries.size(); ++i) {
    const EntryResult& entry = report.entries[i];
    ++counts[end_of(entry, result)];
    if (!entry.verdicts.empty()) continue;
    text += fmt::format("{}, entry {} (line {}) of the report: {}: {}\n",
                        painter.paint(report::Colour::kYellow, "not tried"), i + 1, entry.line,
                        name_of(entry.kind), entry.problem);
  }
  text +=
      fmt::format("report: {} and {}, {} different: {} confirmed, {} not reproduced",
                  counted(report.races, "race", "races"),
                  counted(report.lock_orders, "lock order", "lock orders"), report.entries.size(),
                  counts[Verdict::End::kConfirmed], counts[Verdict::End::kNotReproduced]);
  const std::size_t rest = counts[Verdict::End::kNotTried] + counts[std::nullopt];
  if (rest > 0) text += fmt::format(", {} not tried", rest);
  if (report.left_out > 0) text += fmt::format(", {} left out: too many", report.left_out);
  return text + "\n";
}

nlohmann::ordered_json report_json(const ActiveResult& result) {
  const ReportResult& report = *result.report;
  nlohmann::ordered_json entries = nlohmann::ordered_json::array();
  for (const EntryResult& entry : report.entries) {
    const auto end = end_of(entry, result);
    nlohmann::ordered_json one = {{"line", entry.line},
                                  {"kind", name_of(entry.kind)},
                                  {"times", entry.times},
                                  {"verdict", name_of(end.value_or(Verdict::End::kNotTried))},
                                  {"candidates", entry.verdicts}};
    if (!entry.problem.empty()) one["problem"] = entry.problem;
    entries.push_back(std::move(one));
  }
  return {{"races", report.races},
          {"lock_orders", report.lock_orders},
          {"left_out", report.left_out},
          {"entries", std::move(entries)}};
}

}  // namespace

std::size_t count_of(const ActiveResult& result, Verdict::End end) {
  return static_cast<std::size_t>(
      std::count_if(result.verdicts.begin(), result.verdicts.end(),
                    [end](const Verdict& verdict) { return verdict.end == end; }));
}

std::string result_text(const ActiveResult& result, engine::Symbolizer& symbolizer,
                        const report::Painter& painter, const TextOptions& options) {
  std::string text;
  report::SourceText source;
  std::map<std::size_t, std::string> entries = entry_texts(result);
  for (std::size_t i = 0; i < result.verdicts.size(); ++i) {
    const Verdict& verdict = result.verdicts[i];
    if (verdict.end != Verdict::End::kConfirmed) continue;
    text += confirmed_text(verdict, entries[i], symbolizer, source, painter, options.show_output) +
            "\n";
  }
  for (const engine::Finding& finding : result.failures) {
    text += "met on the way to something else:\n" +
            report::failure_text(report::view_of(finding, symbolizer, source), painter,
                                 options.show_output) +
            "\n";
  }
  for (const ActiveResult::Earlier& earlier : result.earlier_failures) {
    text +=
        fmt::format("met on the way by an earlier call: {}\n  to see it again:   snag replay {}\n",
                    earlier.text, earlier.trace_path);
  }
  if (!result.earlier_failures.empty()) text += "\n";
  // Most pairs of accesses need not be atomic.
  for (std::size_t i = 0; options.show_all && i < result.verdicts.size(); ++i) {
    const Verdict& verdict = result.verdicts[i];
    if (verdict.end != Verdict::End::kHappened) continue;
    text += fmt::format("{} in {} of {}{}, and no failure came of it: {}: {}\n",
                        painter.paint(report::Colour::kYellow, "happened"),
                        verdict.reached.happened, runs_text(verdict), entries[i],
                        name_of(verdict.candidate.kind), verdict.candidate.title);
  }
  const std::size_t harmless = count_of(result, Verdict::End::kHappened);
  for (std::size_t i = 0; i < result.verdicts.size(); ++i) {
    const Verdict& verdict = result.verdicts[i];
    if (verdict.end != Verdict::End::kNotReproduced) continue;
    text +=
        fmt::format("{} in {}{}: {}: {}\n  closest: {}\n",
                    painter.paint(report::Colour::kYellow, "not reproduced"), runs_text(verdict),
                    entries[i], name_of(verdict.candidate.kind), verdict.candidate.title,
                    closest(verdict.candidate, verdict.reached, verdict.obstacles));
  }
  if (result.report) text += report_text(result, painter);
  const std::size_t confirmed = count_of(result, Verdict::End::kConfirmed);
  const std::size_t not_tried = count_of(result, Verdict::End::kNotTried);
  text += fmt::format("{} of {} confirmed, in {} steered after {} watched\n", confirmed,
                      counted(result.verdicts.size(), "candidate", "candidates"),
                      counted(result.runs, "run", "runs"), result.watched_runs);
  if (!result.watched_more.empty())
    text +=
        fmt::format("  {} runs were watched, since {}\n", result.watched_runs, result.watched_more);
  if (harmless > 0 && !options.show_all) {
    text += fmt::format("  {} (--all shows them) happened, and no failure came of it\n",
                        counted(harmless, "interleaving of accesses", "interleavings of accesses"));
  }
  if (not_tried > 0) text += fmt::format("  {} not tried: call it again to go on\n", not_tried);
  if (result.left_out > 0) {
    text += fmt::format("  {} accesses were not looked at: there were too many different ones\n",
                        result.left_out);
  }
  text += "  not reproduced is no proof: what needs other input, or more runs, is not seen\n";
  return text;
}

std::string result_json(const ActiveResult& result, const std::string& program, std::uint64_t seed,
                        int exit_code) {
  nlohmann::ordered_json root;
  root["version"] = 1;
  root["exit"] = exit_code;
  root["program"] = program;
  root["seed"] = seed;
  root["watched_runs"] = result.watched_runs;
  root["runs"] = result.runs;
  root["accesses"] = result.accesses;
  root["left_out"] = result.left_out;
  root["interrupted"] = result.interrupted;
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
        if (verdict.failure) entry["failure_trace"] = verdict.failure->trace_path;
      }
    } else if (verdict.end == Verdict::End::kNotReproduced) {
      entry["closest"] = closest(verdict.candidate, verdict.reached, verdict.obstacles);
    }
    root["candidates"].push_back(std::move(entry));
  }
  root["failures"] = nlohmann::ordered_json::array();
  for (const engine::Finding& finding : result.failures) {
    root["failures"].push_back({{"kind", kFailureNames[static_cast<int>(finding.run.kind)]},
                                {"message", finding.trace.failure.message},
                                {"location", finding.trace.failure.location},
                                {"confirmed", finding.confirmed()},
                                {"trace", finding.trace_path}});
  }
  root["earlier_failures"] = nlohmann::ordered_json::array();
  for (const ActiveResult::Earlier& earlier : result.earlier_failures)
    root["earlier_failures"].push_back({{"text", earlier.text}, {"trace", earlier.trace_path}});
  return root.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace snag::active
