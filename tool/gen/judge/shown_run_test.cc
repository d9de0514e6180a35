#include "tool/gen/judge/shown_run.h"

#include <gtest/gtest.h>

namespace snag::gen {
namespace {

constexpr const char* kBegin = "no order of these calls, one after the other, gives: ";

CallResult gave(const std::string& text, const std::string& compared) {
  CallResult call;
  call.state = CallState::kDone;
  call.text = text;
  call.compared = compared;
  call.thrown = text.rfind("throws", 0) == 0;
  call.hash = std::hash<std::string>()(compared);
  return call;
}

// put(1), then take() in two threads, one of which throws; count() and name() are observers.
struct Example {
  DriverInfo driver;
  WorkerSettings settings;
  Violation violation;

  Example() {
    driver.methods = {{"put(int)", "", 1, 0},
                      {"take()", "", 0, 0},
                      {"count() const", "", 0, snag_gen::kObserver},
                      {"name() const", "", 0, snag_gen::kObserver}};
    settings.observers = {2, 3};
    violation.kind = ViolationKind::kException;
    violation.message = "throws std::logic_error";
    violation.test.prefix = {TestCall{0, false, {}}};
    violation.test.suffixes = {{TestCall{1, false, {}}}, {TestCall{1, false, {}}}};
    violation.outcome.calls = {gave("void", "void"),
                               gave("throws std::logic_error (empty)", "throws std::logic_error"),
                               gave("1", "1"), gave("0", "0"), gave("\"x\"", "")};
  }

  void take(FailureKind kind, const std::string& message) {
    session::FailedRun run;
    run.kind = kind;
    run.message = message;
    take_shown_run(run, driver, settings, violation);
  }
};

TEST(ShownRun, HasItsOwnResults) {
  Example example;
  example.take(FailureKind::kReported,
               std::string(kBegin) +
                   "take() -> 1, take() -> throws std::logic_error (empty, sorry), "
                   "count() const = 0");
  const auto& calls = example.violation.outcome.calls;
  ASSERT_EQ(calls.size(), 5u);
  EXPECT_EQ(calls[0].text, "void");
  EXPECT_EQ(calls[1].text, "1");
  EXPECT_FALSE(calls[1].thrown);
  EXPECT_EQ(calls[2].text, "throws std::logic_error (empty, sorry)");
  EXPECT_EQ(calls[2].compared, "throws std::logic_error");
  EXPECT_TRUE(calls[2].thrown);
  EXPECT_EQ(calls[3].text, "0");
  EXPECT_EQ(calls[4].compared, "");
  EXPECT_EQ(example.violation.kind, ViolationKind::kException);
}

TEST(ShownRun, IsToldInTheDriversWordsWhereResultsAreMissing) {
  for (const std::string& part : {std::string("take() -> 1"), std::string(2000, 'x')}) {
    Example example;
    example.take(FailureKind::kReported, kBegin + part);
    EXPECT_TRUE(example.violation.outcome.calls.empty());
    EXPECT_EQ(example.violation.message, kBegin + part);
    EXPECT_EQ(example.violation.kind, ViolationKind::kException);
  }
}

TEST(ShownRun, MayFailInAnotherWay) {
  Example example;
  example.take(FailureKind::kAbort, "abort was called");
  EXPECT_EQ(example.violation.kind, ViolationKind::kCrash);
  EXPECT_EQ(example.violation.failure, FailureKind::kAbort);
  EXPECT_EQ(example.violation.message, "abort was called");
  EXPECT_TRUE(example.violation.outcome.calls.empty());
}

}  // namespace
}  // namespace snag::gen
