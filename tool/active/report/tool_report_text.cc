#include "tool/active/report/tool_report_text.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <vector>

#include "tool/report/formats/text.h"

namespace snag::active {
namespace {

const Verdict* verdict_of(const ActiveResult& result, std::size_t number) {
  return number < result.verdicts.size() ? &result.verdicts[number] : nullptr;
}

// "stats confirmed, published not reproduced"
std::string ends_text(const EntryResult& entry, const ActiveResult& result) {
  std::vector<std::string> parts;
  for (const std::size_t i : entry.verdicts) {
    const Verdict* verdict = verdict_of(result, i);
    if (verdict == nullptr) continue;
    const std::string& variable = verdict->candidate.variable;
    parts.push_back(fmt::format("{} {}", variable.empty() ? "memory without a name" : variable,
                                name_of(verdict->end)));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace

std::string_view name_of(EntryEnd end) {
  switch (end) {
    case EntryEnd::kConfirmed:
      return "confirmed";
    case EntryEnd::kUnclear:
      return "unclear";
    case EntryEnd::kNotReproduced:
      return "not reproduced";
    case EntryEnd::kSuppressed:
      return "suppressed";
    case EntryEnd::kNotTried:
      return "not tried";
  }
  return "";
}

EntryEnd end_of(const EntryResult& entry, const ActiveResult& result) {
  std::size_t confirmed = 0, tried = 0, suppressed = 0;
  for (const std::size_t i : entry.verdicts) {
    const Verdict* verdict = verdict_of(result, i);
    if (verdict == nullptr || verdict->end == Verdict::End::kNotTried) continue;
    if (verdict->end == Verdict::End::kSuppressed) {
      ++suppressed;
      continue;
    }
    ++tried;
    if (verdict->end == Verdict::End::kConfirmed) ++confirmed;
  }
  if (confirmed > 0 && entry.is_unclear && confirmed < entry.verdicts.size())
    return EntryEnd::kUnclear;
  if (confirmed > 0) return EntryEnd::kConfirmed;
  if (tried > 0) return EntryEnd::kNotReproduced;
  return suppressed > 0 ? EntryEnd::kSuppressed : EntryEnd::kNotTried;
}

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
      text += fmt::format(" and {} more", grouped(entries.size() - kMostNamed));
    texts[verdict] = ", " + text + " of the report";
  }
  return texts;
}

std::string report_text(const ActiveResult& result, const Painter& painter) {
  std::string text;
  std::map<EntryEnd, std::size_t> counts;
  const ReportResult& report = *result.report;
  for (std::size_t i = 0; i < report.entries.size(); ++i) {
    const EntryResult& entry = report.entries[i];
    const EntryEnd end = end_of(entry, result);
    ++counts[end];
    std::string reason;
    if (entry.verdicts.empty()) reason = entry.problem;
    if (end == EntryEnd::kUnclear)
      reason = "the report does not say which variable it is: " + ends_text(entry, result);
    if (reason.empty()) continue;
    text += fmt::format("{}, entry {} (line {}) of the report: {}: {}\n",
                        painter.paint(Colour::kYellow, name_of(end)), i + 1, entry.line,
                        name_of(entry.kind), reason);
  }
  text += fmt::format("report: {} and {}, {} different: {} confirmed, {} not reproduced",
                      counted(report.races, "race", "races"),
                      counted(report.lock_orders, "lock order", "lock orders"),
                      grouped(report.entries.size()), grouped(counts[EntryEnd::kConfirmed]),
                      grouped(counts[EntryEnd::kNotReproduced]));
  for (const EntryEnd end : {EntryEnd::kUnclear, EntryEnd::kSuppressed, EntryEnd::kNotTried}) {
    if (counts[end] > 0) text += fmt::format(", {} {}", grouped(counts[end]), name_of(end));
  }
  if (report.left_out > 0) text += fmt::format(", {} left out: too many", grouped(report.left_out));
  return text + "\n";
}

nlohmann::ordered_json report_json(const ActiveResult& result) {
  const ReportResult& report = *result.report;
  nlohmann::ordered_json entries = nlohmann::ordered_json::array();
  for (const EntryResult& entry : report.entries) {
    nlohmann::ordered_json one = {{"line", entry.line},
                                  {"kind", name_of(entry.kind)},
                                  {"times", entry.times},
                                  {"verdict", name_of(end_of(entry, result))},
                                  {"candidates", entry.verdicts}};
    if (!entry.problem.empty()) one["problem"] = entry.problem;
    entries.push_back(std::move(one));
  }
  return {{"races", report.races},
          {"lock_orders", report.lock_orders},
          {"left_out", report.left_out},
          {"entries", std::move(entries)}};
}

}  // namespace snag::active
