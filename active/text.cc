#include "active/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "active/report_text.h"
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
    text += fmt::format("  the failure is one that was shown already: snag replay {}\n",
                        verdict.trace_path);
  else if (verdict.finding)
    add(*verdict.finding);
  else
    text += fmt::format("  to see it again:   snag replay {}\n", verdict.trace_path);
  if (verdict.failure) {
    text += "\nwhat follows from it:\n";
    add(*verdict.failure);
  }
  return text;
}

// An access did come in between, and nobody minded: most pairs of accesses need not be atomic.
bool is_harmless(const Verdict& verdict) {
  return verdict.end == Verdict::End::kNotReproduced &&
         verdict.candidate.kind == Kind::kAtomicity && verdict.reached.happened > 0;
}

}  // namespace

std::string_view name_of(Verdict::End end) {
  switch (end) {
    case Verdict::End::kConfirmed:
      return "confirmed";
    case Verdict::End::kNotReproduced:
      return "not reproduced";
    case Verdict::End::kNotTried:
      return "not tried";
  }
  return "";
}

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
  std::size_t harmless = 0;
  for (std::size_t i = 0; i < result.verdicts.size(); ++i) {
    const Verdict& verdict = result.verdicts[i];
    if (verdict.end != Verdict::End::kNotReproduced) continue;
    if (is_harmless(verdict) && !options.show_all) {
      ++harmless;
      continue;
    }
    text += fmt::format("{} in {}{}: {}: {}\n  closest: {}\n",
                        painter.paint(report::Colour::kYellow, "not reproduced"),
                        runs_text(verdict), entries[i], name_of(verdict.candidate.kind),
                        verdict.candidate.title, closest(verdict.candidate, verdict.reached));
  }
  if (result.report) text += report_text(result, painter);
  const std::size_t confirmed = count_of(result, Verdict::End::kConfirmed);
  const std::size_t not_tried = count_of(result, Verdict::End::kNotTried);
  text += fmt::format("{} of {} confirmed, in {} steered after {} watched\n", confirmed,
                      counted(result.verdicts.size(), "candidate", "candidates"),
                      counted(result.runs, "run", "runs"), result.watched_runs);
  if (harmless > 0) {
    text += fmt::format("  {} (--all shows them) happened, and nothing went wrong\n",
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
      }
    } else if (verdict.end == Verdict::End::kNotReproduced) {
      entry["closest"] = closest(verdict.candidate, verdict.reached);
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
  return root.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace snag::active
