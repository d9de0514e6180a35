#include "tool/gen/judge/shown_run.h"

#include <utility>
#include <vector>

namespace snag::gen {
namespace {

constexpr std::string_view kBegin = "no order of these calls, one after the other, gives: ";
// Of the output of a run; more is cut off.
constexpr std::size_t kLongestMessage = sizeof(Failure::message) - 1;

struct Entry {
  std::size_t record;
  std::string head;  // before its result
};

std::vector<Entry> entries(const DriverInfo& driver, const WorkerSettings& settings,
                           const Test& test, const TestOutcome& other) {
  std::vector<Entry> made;
  for (std::size_t i = test.prefix.size(); i < other.calls.size(); ++i) {
    const bool is_call = i < test.calls();
    if (!is_call && (other.calls[i].compared.empty() || settings.observers.empty())) continue;
    const std::uint16_t method =
        is_call ? test.suffix_call(i - test.prefix.size()).method
                : settings.observers[(i - test.calls()) % settings.observers.size()];
    made.push_back({i, driver.methods[method].name + (is_call ? " -> " : " = ")});
  }
  return made;
}

CallResult result_of(const std::string& text, const CallResult& other) {
  CallResult result;
  result.state = CallState::kDone;
  result.text = text;
  result.thrown = text.rfind("throws ", 0) == 0;
  // Ignores the text of exceptions, and the results of methods that do not return the same twice.
  if (!other.compared.empty())
    result.compared = result.thrown ? text.substr(0, text.find(" (")) : text;
  return result;
}

}  // namespace

std::optional<TestOutcome> outcome_in(const std::string& message, const DriverInfo& driver,
                                      const WorkerSettings& settings, const Test& test,
                                      const TestOutcome& other) {
  if (message.rfind(kBegin, 0) != 0 || message.size() >= kLongestMessage) return std::nullopt;
  const std::vector<Entry> all = entries(driver, settings, test, other);
  TestOutcome outcome = other;
  outcome.hash = 0;
  std::size_t at = kBegin.size();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto& [record, head] = all[i];
    if (message.compare(at, head.size(), head) != 0) return std::nullopt;
    at += head.size();
    const std::size_t end =
        i + 1 < all.size() ? message.find(", " + all[i + 1].head, at) : message.size();
    if (end == std::string::npos) return std::nullopt;
    outcome.calls[record] = result_of(message.substr(at, end - at), other.calls[record]);
    at = end + 2;
  }
  return outcome;
}

void take_shown_run(const session::FailedRun& run, const DriverInfo& driver,
                    const WorkerSettings& settings, Violation& violation) {
  if (has_trait(run.kind, kNotOfProgram)) return;
  if (run.kind == FailureKind::kReported) {
    auto outcome = outcome_in(run.message, driver, settings, violation.test, violation.outcome);
    if (outcome) {
      violation.outcome = std::move(*outcome);
      return;
    }
  } else {
    violation.kind = violation_kind(run.kind);
    violation.failure = run.kind;
  }
  violation.message = run.message;
  violation.outcome = {};
}

}  // namespace snag::gen
