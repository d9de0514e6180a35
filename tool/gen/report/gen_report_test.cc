#include "tool/gen/report/gen_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace snag::gen {
namespace {

using testing::HasSubstr;

CallResult gave(const std::string& text, std::uint64_t hash) {
  CallResult call;
  call.state = CallState::kDone;
  call.text = text;
  call.compared = text.substr(0, text.find(" ("));
  call.thrown = text.rfind("throws", 0) == 0;
  call.hash = hash;
  return call;
}

// Two threads take the only element, and one of them throws.
struct Example {
  DriverInfo driver;
  Outcome outcome;
  FoundViolation found;
  report::FailureView view;

  Example() {
    driver.class_name = "Queue";
    driver.methods = {{"take()", "{object}.take()", 0, 0}};
    Violation& violation = found.violation;
    violation.kind = ViolationKind::kException;
    violation.message = "throws std::logic_error";
    violation.test.suffixes = {{TestCall{}}, {TestCall{}}};
    violation.outcome.calls = {gave("throws std::logic_error (empty)", 1), gave("1", 2)};
    violation.linearizations.emplace_back();
    violation.linearizations[0].order = {0, 1};
    violation.linearizations[0].finished = true;
    violation.linearizations[0].outcome.calls = {gave("1", 2), gave("-1", 3)};
    found.text.object.expression = "make_queue()";
    found.text.suffixes = {{{{}, {}, "object.take()"}}, {{{}, {}, "object.take()"}}};
    view.kind = FailureKind::kReported;
    view.confirmed = true;
    view.trace_path = "spa ce/it's.snag";
  }

  std::string text() const { return violation_text(driver, outcome, found, &view, Painter(false)); }
};

TEST(GenReport, QuotesTheTraceForTheShell) {
  const std::string text = Example().text();
  EXPECT_THAT(text, HasSubstr("to see it again:   snag replay \"spa ce/it's.snag\"\n"));
  EXPECT_THAT(text, HasSubstr("to open it in gdb: snag replay --gdb \"spa ce/it's.snag\"\n"));
}

TEST(GenReport, TellsWhatHappened) {
  Example example;
  std::string text = example.text();
  EXPECT_THAT(text, HasSubstr("Queue is not thread-safe: exception (std::logic_error), after"));
  EXPECT_THAT(text, HasSubstr("  object.take() throws std::logic_error (empty)\n"
                              "  object.take() gives 1\n"));
  EXPECT_THAT(text, HasSubstr("    object.take() gives 1, not throws std::logic_error; "
                              "object.take() gives -1, not 1\n"));
  // Results that are taken from the run of the trace have no hash.
  for (CallResult& call : example.found.violation.outcome.calls) call.hash = 0;
  EXPECT_EQ(example.text(), text);
  // It has more to say than fits.
  example.found.violation.outcome = {};
  example.found.violation.message = "no order of these calls gives: ...";
  text = example.text();
  EXPECT_THAT(text, HasSubstr("not thread-safe: exception, after"));
  EXPECT_THAT(text, HasSubstr("what happened:\n  no order of these calls gives: ...\n"));
}

TEST(GenReport, SaysWhatWasNotLookedInto) {
  Example example;
  example.outcome.totals.tests = 1000;
  const auto text = [&] {
    return summary_text(example.driver, {}, example.outcome, Painter(false));
  };
  EXPECT_THAT(text(), testing::Not(HasSubstr("not looked into")));
  example.outcome.totals.beyond = 3;
  EXPECT_THAT(text(), HasSubstr("  3 more suspicions were not examined: a session reports 50 "
                                "violations at most\n"));
}

TEST(GenReport, MakesTheObjectWithValidCode) {
  Example example;
  EXPECT_THAT(example.text(), HasSubstr("    auto object = make_queue();\n"));
  example.found.text.object.made_as = MadeAs::kPointer;
  EXPECT_THAT(example.text(), HasSubstr("    const auto object_owner = make_queue();\n"
                                        "    auto& object = *object_owner;\n"
                                        "    // thread 1"));
  example.found.text.object.made_as = MadeAs::kReference;
  EXPECT_THAT(example.text(), HasSubstr("    auto& object = make_queue();\n"));
}

}  // namespace
}  // namespace snag::gen
