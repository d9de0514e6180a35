#include "tool/gen/report/gen_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "tool/gen/session/gtest_source.h"
#include "tool/report/formats/text.h"
#include "tool/toolchain/compiler_args.h"

namespace snag::gen {
namespace {

constexpr std::size_t kMostOrdersShown = 12;
constexpr std::size_t kMostPairsShown = 20;

std::vector<std::string> statements(const CallText& call) {
  std::vector<std::string> lines = call.declarations;
  lines.push_back(call.expression + ";");
  return lines;
}

// The text of a record: the call as C++, or the observer.
class Names {
 public:
  Names(const DriverInfo& driver, const Outcome& outcome, const FoundViolation& found)
      : driver_(driver), outcome_(outcome), found_(found) {}

  std::string call(std::size_t record) const {
    const TestText& text = found_.text;
    if (record < text.prefix.size()) return text.prefix[record].expression;
    record -= text.prefix.size();
    for (const auto& suffix : text.suffixes) {
      if (record < suffix.size()) return suffix[record].expression;
      record -= suffix.size();
    }
    if (outcome_.observers.empty()) return "?";
    const std::string& name =
        driver_.methods[outcome_.observers[record % outcome_.observers.size()]].name;
    const std::string object = record < outcome_.observers.size() ? "object." : "other.";
    return "then " + object + name.substr(0, name.find(')') + 1);
  }

 private:
  const DriverInfo& driver_;
  const Outcome& outcome_;
  const FoundViolation& found_;
};

// "T1 push, T2 pop, T1 pop"
std::string order_text(const DriverInfo& driver, const Test& test, const Order& order) {
  std::vector<std::size_t> next(test.suffixes.size());
  std::string text;
  for (const std::uint8_t thread : order) {
    if (thread >= next.size() || next[thread] >= test.suffixes[thread].size()) continue;
    const std::string& name = driver.methods[test.suffixes[thread][next[thread]++].method].name;
    text += fmt::format("{}T{} {}", text.empty() ? "" : ", ", thread + 1,
                        name.substr(0, name.find('(')));
  }
  return text;
}

bool is_same(const CallResult& a, const CallResult& b) {
  // A record that was read from a report has no hash.
  return a.hash != 0 && b.hash != 0 ? a.hash == b.hash : a.compared == b.compared;
}

// How an order differs from what happened.
std::string difference(const Names& names, const Violation& violation,
                       const Linearization& linearization) {
  if (!linearization.finished) {
    return fmt::format("{}: {}", failure_name(linearization.failure), linearization.message);
  }
  if (violation.outcome.calls.empty()) return "ends well";
  std::string text;
  const auto& wrong = violation.outcome.calls;
  const auto& right = linearization.outcome.calls;
  for (std::size_t i = 0; i < wrong.size() && i < right.size(); ++i) {
    if (is_same(wrong[i], right[i])) continue;
    text += fmt::format("{}{} gives {}, not {}", text.empty() ? "" : "; ", names.call(i),
                        right[i].compared, wrong[i].compared);
  }
  return text;
}

std::string headline(const DriverInfo& driver, const FoundViolation& found) {
  const Violation& violation = found.violation;
  const char* kind = kViolationNames[static_cast<int>(violation.kind)];
  std::string what = kind;
  if (violation.kind == ViolationKind::kStuck) what = failure_name(violation.failure);
  if (violation.kind == ViolationKind::kException && violation.message.rfind("throws ", 0) == 0)
    what = fmt::format("exception ({})", violation.message.substr(violation.message.find(' ') + 1));
  return fmt::format("{} is not thread-safe: {}, after {} ({:.2f} s)", driver.class_name, what,
                     counted(found.tests, "test", "tests"), found.seconds);
}

std::string what_happened(const Names& names, const FoundViolation& found) {
  const Violation& violation = found.violation;
  if (violation.outcome.calls.empty()) return fmt::format("  {}\n", violation.message);
  std::string text;
  for (std::size_t i = violation.test.prefix.size(); i < violation.outcome.calls.size(); ++i) {
    const CallResult& call = violation.outcome.calls[i];
    text += fmt::format("  {} {}{}\n", names.call(i), call.thrown ? "" : "gives ", call.text);
  }
  return text;
}

std::string orders_text(const DriverInfo& driver, const Names& names, const FoundViolation& found) {
  const Violation& violation = found.violation;
  // Orders with the same result are shown together.
  std::map<std::string, std::vector<const Linearization*>> groups;
  for (const Linearization& linearization : violation.linearizations)
    groups[difference(names, violation, linearization)].push_back(&linearization);
  std::string text;
  std::size_t shown = 0;
  for (const auto& [differs, orders] : groups) {
    if (shown++ == kMostOrdersShown) {
      text += fmt::format("  and {} other results\n", groups.size() - kMostOrdersShown);
      break;
    }
    const std::string others =
        orders.size() > 1 ? fmt::format(" (and {} more)", orders.size() - 1) : "";
    text += fmt::format("  {}{}:\n    {}\n",
                        order_text(driver, violation.test, orders.front()->order), others, differs);
  }
  return text;
}

}  // namespace

std::string test_text(const TestText& text, int indent, int width) {
  const std::string margin(static_cast<std::size_t>(indent), ' ');
  std::string result;
  const auto make = [&](const char* name, const CallText& call) {
    for (const std::string& line : object_text(name, call)) result += margin + line + "\n";
  };
  make("object", text.object);
  if (text.second) make("other", *text.second);
  for (const CallText& call : text.prefix) {
    for (const std::string& line : statements(call)) result += margin + line + "\n";
  }
  std::vector<std::vector<std::string>> columns;
  std::size_t rows = 0, total = static_cast<std::size_t>(indent);
  std::vector<std::size_t> widths;
  for (std::size_t thread = 0; thread < text.suffixes.size(); ++thread) {
    columns.push_back({fmt::format("// thread {}", thread + 1)});
    for (const CallText& call : text.suffixes[thread]) {
      for (const std::string& line : statements(call)) columns.back().push_back(line);
    }
    rows = std::max(rows, columns.back().size());
    std::size_t widest = 0;
    for (const std::string& line : columns.back()) widest = std::max(widest, line.size());
    widths.push_back(widest);
    total += widest + 4;
  }
  if (total > static_cast<std::size_t>(width)) {
    for (const auto& column : columns) {
      for (const std::string& line : column) result += margin + line + "\n";
    }
    return result;
  }
  for (std::size_t row = 0; row < rows; ++row) {
    std::string line = margin;
    for (std::size_t thread = 0; thread < columns.size(); ++thread)
      line += fmt::format("{:{}}", row < columns[thread].size() ? columns[thread][row] : "",
                          widths[thread] + 4);
    line.erase(line.find_last_not_of(' ') + 1);
    result += line + "\n";
  }
  return result;
}

std::string violation_text(const DriverInfo& driver, const Outcome& outcome,
                           const FoundViolation& found, const report::FailureView* view,
                           const Painter& painter) {
  const Names names(driver, outcome, found);
  const Violation& violation = found.violation;
  std::string text = painter.paint(Colour::kRed, headline(driver, found)) + "\n\n";
  text +=
      fmt::format("the smallest test ({}{}):\n", counted(violation.test.calls(), "call", "calls"),
                  found.calls_at_first > violation.test.calls()
                      ? fmt::format(", made smaller from {}", found.calls_at_first)
                      : "");
  text += test_text(found.text, 4, painter.width()) + "\n";
  const bool about_memory = view && (view->race || view->heap);
  text += "what happened:\n";
  if (about_memory) {
    text += fmt::format("  {}\n\n", view->race ? report::race_sentence(*view->race)
                                               : report::heap_sentence(*view->heap));
  } else {
    text += what_happened(names, found) + "\n";
  }
  text += fmt::format("{}, and none explains it:\n",
                      counted(violation.linearizations.size(), "order of the calls was tried",
                              "orders of the calls were tried"));
  text += orders_text(driver, names, found) + "\n";
  if (view) {
    if (view->race) text += report::race_details(*view->race, painter) + "\n";
    if (view->heap) text += report::heap_details(*view->heap, painter) + "\n";
    const std::string threads = report::threads_text(*view, painter);
    const bool is_told = view->race || view->heap || view->kind == FailureKind::kReported;
    if (!is_told && !threads.empty()) text += threads + "\n";
    text += report::interleaving_text(*view, painter) + "\n";
    if (!view->confirmed) text += "not confirmed by a replay: " + view->replay_problem + "\n";
    if (!view->trace_path.empty()) {
      const std::string trace = toolchain::quote_argument(view->trace_path);
      text += fmt::format("to see it again:   snag replay {}\n", trace);
      text += fmt::format("to open it in gdb: snag replay --gdb {}\n", trace);
    }
  } else {
    text += "as a separate program, no schedule showed it, so there is no trace\n";
  }
  if (!found.gtest_file.empty()) text += fmt::format("as a unit test:    {}\n", found.gtest_file);
  for (const std::string& problem : found.unwritten) text += problem + "\n";
  return text;
}

std::string summary_text(const DriverInfo& driver, const GenSessionOptions& options,
                         const Outcome& outcome, const Painter& painter) {
  const GenTotals& totals = outcome.totals;
  const std::size_t found = outcome.violations.size();
  const double rate = totals.seconds > 0 ? static_cast<double>(totals.tests) / totals.seconds : 0;
  const auto left_out = [&] {
    std::string text;
    for (const LeftOut& left : outcome.left_out)
      text += fmt::format("  left out: {}: {}\n", left.name, left.why);
    return text;
  };
  if (totals.tests == 0 && found == 0)
    return fmt::format("no test of {} was run\n", driver.class_name) + left_out();
  std::string text = fmt::format(
      "{} in {} of {} ({:.1f} s, {} a second)\n",
      found == 0 ? painter.paint(Colour::kGreen, "no violation")
                 : painter.paint(Colour::kRed, counted(found, "violation", "different violations")),
      counted(totals.tests, "test", "tests"), driver.class_name, totals.seconds,
      grouped(static_cast<std::uint64_t>(rate)));
  text += fmt::format("  {} under {}, {} of calls alone, {} in all\n",
                      counted(totals.runs, "run", "runs"),
                      options.system_schedules ? "the system's scheduler" : "controlled schedules",
                      counted(totals.sequences, "sequence", "sequences"),
                      counted(totals.linearizations, "linearization", "linearizations"));
  text += fmt::format("  {} of {} pairs of methods ran concurrently, {} were tried\n",
                      totals.covered, totals.pairs, totals.tried);
  for (std::size_t i = 0; i < outcome.violations.size(); ++i) {
    if (outcome.violations[i].count > 1)
      text += fmt::format("  {} tests showed the like of violation {}\n",
                          grouped(outcome.violations[i].count), i + 1);
  }
  text += left_out();
  for (const std::uint16_t method : outcome.ignored)
    text += fmt::format("  not compared: {}: it does not give the same twice\n",
                        driver.methods[method].name);
  if (totals.unjudged > 0)
    text += fmt::format("  {} could not be judged\n",
                        counted(totals.unjudged, "behaviour", "behaviours"));
  if (totals.unconfirmed > 0)
    text += fmt::format("  {} did not come back when checked, and {} not reported\n",
                        counted(totals.unconfirmed, "suspicion", "suspicions"),
                        totals.unconfirmed == 1 ? "is" : "are");
  if (totals.beyond > 0)
    text += fmt::format("  {} {} not examined: a session reports {} violations at most\n",
                        counted(totals.beyond, "more suspicion", "more suspicions"),
                        totals.beyond == 1 ? "was" : "were", kMostViolations);
  if (!outcome.unsupported.empty()) text += fmt::format("  {}\n", outcome.unsupported);
  text += fmt::format("  policy {}, seed {}, {} threads{}\n",
                      kPolicyNames[static_cast<int>(options.policy)], options.run.seed,
                      options.threads, outcome.interrupted ? ", interrupted" : "");
  return text;
}

std::string coverage_text(const DriverInfo& driver, const PairCounts& pairs) {
  std::vector<std::size_t> tried, never;
  std::size_t covered = 0, all = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (!pairs.is_usable_pair(i)) continue;
    ++all;
    if (pairs.covered(i) > 0) {
      ++covered;
    } else {
      (pairs.tried(i) > 0 ? tried : never).push_back(i);
    }
  }
  std::string text = fmt::format("{} of {} pairs of methods ran concurrently\n", covered, all);
  const auto list = [&](const char* title, const std::vector<std::size_t>& some) {
    if (some.empty()) return;
    text += fmt::format("{} ({}):\n", title, some.size());
    for (std::size_t i = 0; i < some.size() && i < kMostPairsShown; ++i) {
      const MethodPair pair = pairs.pair(some[i]);
      text += fmt::format("  {} | {}  (tried {})\n", driver.methods[pair.first].name,
                          driver.methods[pair.second].name, pairs.tried(some[i]));
    }
    if (some.size() > kMostPairsShown)
      text += fmt::format("  and {} more\n", some.size() - kMostPairsShown);
  };
  list("tried, but never at the same time", tried);
  list("never tried", never);
  return text;
}

std::string coverage_csv(const Outcome& outcome) {
  std::string text = "seconds,tests,covered,tried,pairs\n";
  for (const CoveragePoint& point : outcome.curve)
    text += fmt::format("{:.3f},{},{},{},{}\n", point.seconds, point.tests, point.covered,
                        point.tried, outcome.totals.pairs);
  return text;
}

std::string gen_progress_line(const GenTotals& totals) {
  const double rate = totals.seconds > 0 ? static_cast<double>(totals.tests) / totals.seconds : 0;
  std::string line =
      fmt::format("{} tests, {} a second, {} of {} pairs covered", grouped(totals.tests),
                  grouped(static_cast<std::uint64_t>(rate)), totals.covered, totals.pairs);
  if (totals.violations > 0) line += ", " + counted(totals.violations, "violation", "violations");
  return line;
}

GenReport::GenReport(const DriverInfo& driver, const GenSessionOptions& options,
                     const Outcome& outcome, binary::Symbolizer& symbolizer, bool lists_pairs)
    : driver_(driver), options_(options), outcome_(outcome), lists_pairs_(lists_pairs) {
  program = driver.executable;
  report::SourceText source;
  for (const FoundViolation& found : outcome.violations) {
    if (found.finding) failures.push_back(report::view_of(*found.finding, symbolizer, source));
  }
}

std::string GenReport::text(const report::TextStyle& style) const {
  std::string text = summary_text(driver_, options_, outcome_, style.painter);
  if (lists_pairs_ && outcome_.pairs) text += "\n" + coverage_text(driver_, *outcome_.pairs);
  return text;
}

}  // namespace snag::gen
