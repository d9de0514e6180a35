// Every report is compared with an approved text under tests/baselines/report. After a change that
// is meant, scripts/approve rewrites them; the diff is then part of the review.
#include <gtest/gtest.h>

#include "tests/baselines/approved.h"
#include "tool/report/formats/format.h"
#include "tool/report/formats/progress_text.h"
#include "tool/report/formats/summary.h"
#include "tool/report/formats/text.h"
#include "tool/report/view/failure_example_for_test.h"

namespace snag::report {
namespace {

const Painter kPlain(false);

std::string json_of(const Report& report) { return find_format("json")->write(report, {}); }

void expect_approved(const std::string& name, const std::string& text) {
  snag::expect_approved("report/" + name, text);
}

TEST(Baseline, Deadlock) {
  expect_approved("deadlock.txt", failure_text(example::deadlock(), kPlain));
}
TEST(Baseline, Assertion) {
  expect_approved("assertion.txt", failure_text(example::assertion(), kPlain));
}
TEST(Baseline, LostWakeup) {
  expect_approved("lost-wakeup.txt", failure_text(example::lost_wakeup(), kPlain));
}
TEST(Baseline, Race) { expect_approved("race.txt", failure_text(example::race(), kPlain)); }
TEST(Baseline, RaceAtManyPlaces) {
  expect_approved("race-many-places.txt", failure_text(example::race_at_many_places(), kPlain));
}
TEST(Baseline, UseAfterFree) {
  expect_approved("use-after-free.txt", failure_text(example::use_after_free(), kPlain));
}
TEST(Baseline, AssertionOfARunThatRaced) {
  FailureView failure = example::assertion();
  failure.race = example::race().race;
  expect_approved("assertion-and-race.txt", failure_text(failure, kPlain));
}
TEST(Baseline, AssertionAfterAnEarlySleep) {
  FailureView failure = example::assertion();
  failure.untimely_end = {Untimely::kEarly,
                          0,
                          true,
                          {"main", "sleep_test.cc", 12, "std::this_thread::sleep_for(10ms);"}};
  expect_approved("assertion-early-sleep.txt", failure_text(failure, kPlain));
}
TEST(Baseline, AssertionAfterALateSleepWithFilesOfEarlierRuns) {
  FailureView failure = example::assertion();
  failure.untimely_end = {
      Untimely::kLate, 1, true, {"produce", "sleep_test.cc", 9, "sleep_for(5ms);"}, 3};
  failure.confirmed = true;
  failure.used_changes.files = {{"out.txt", FileChange::kCreated}};
  const std::string text = failure_text(failure, kPlain);
  expect_approved("assertion-late-sleep.txt", text);
}
TEST(Baseline, SummaryOfExactTimeoutsAndChangedFiles) {
  RunReport report = example::clean_dfs();
  report.timeouts = Timeouts::kExact;
  report.changed_files.files = {{"out.txt", FileChange::kCreated}, {"log", FileChange::kModified}};
  std::string text = summary_text(report, kPlain);
  report.totals.snapshot = CwdSnapshot::kCopy;
  text += summary_text(report, kPlain);
  report.no_test = "No tests ran";
  expect_approved("summary-timeouts-files.txt", text + summary_text(report, kPlain));
}
TEST(Baseline, DeadlockInColour) {
  expect_approved("deadlock-colour.txt", failure_text(example::deadlock(), Painter(true)));
}
TEST(Baseline, LockOrder) {
  LockOrderView circle = example::lock_order();
  circle.sides[1].wanted = "C";
  circle.sides.push_back({3, "C", "A", {}, {}});
  expect_approved("lock-order.txt", lock_order_text(example::lock_order(), kPlain) +
                                        example::lock_order().message() + "\n" +
                                        lock_order_text(circle, kPlain));
}
TEST(Baseline, LateWakeup) {
  LateWakeupView nothing_read = example::late_wakeup();
  nothing_read.variable = "";
  nothing_read.seconds = 0.25;
  expect_approved("late-wakeup.txt", late_wakeup_text(example::late_wakeup(), kPlain) +
                                         example::late_wakeup().message() + "\n" +
                                         late_wakeup_text(nothing_read, kPlain) +
                                         nothing_read.message() + "\n");
}
TEST(Baseline, SummaryOfFailures) {
  expect_approved("summary-failures.txt", summary_text(example::run(), kPlain));
}
TEST(Baseline, SummaryOfAllSchedules) {
  expect_approved("summary-dfs.txt", summary_text(example::clean_dfs(), kPlain));
}
TEST(Baseline, SummaryOfAnInterruptedSearch) {
  RunReport report = example::run();
  report.failures.clear();
  report.interrupted = true;
  report.error = "the fork server was killed by SIGKILL after 2000 runs";
  expect_approved("summary-interrupted.txt", summary_text(report, kPlain));
}
TEST(Baseline, RaceJson) {
  RunReport report = example::run();
  report.failures = {example::race(), example::use_after_free()};
  expect_approved("race-json.txt", json_of(report));
}
TEST(Baseline, RaceAtManyPlacesJson) {
  RunReport report = example::run();
  report.failures = {example::race_at_many_places()};
  expect_approved("race-many-places-json.txt", json_of(report));
}
TEST(Baseline, RunJson) { expect_approved("run-json.txt", json_of(example::run())); }
TEST(Baseline, CleanJson) { expect_approved("clean-json.txt", json_of(example::clean_dfs())); }
TEST(Baseline, ReplayJson) {
  ReplayReport report;
  report.exit_code = 1;
  report.program = "queue";
  report.verdict = "3 of 3 identical (event hash feedfacecafebeef)";
  report.runs = report.identical = 3;
  report.failures = {example::deadlock()};
  expect_approved("replay-json.txt", json_of(report));
}
TEST(Baseline, ShrinkJson) {
  ShrinkReport report;
  report.exit_code = 1;
  report.program = "queue";
  report.verdict = "shrunk from 34 to 2 switches";
  report.switches_before = 34;
  report.switches_after = 2;
  report.attempts = 1'234;
  report.seconds = 0.5;
  report.smallest = true;
  report.failures = {example::deadlock()};
  report.failures[0].shrunk_from = 34;
  expect_approved("shrink-json.txt", json_of(report));
}
TEST(Baseline, ShrunkSchedule) {
  FailureView failure = example::deadlock();
  failure.shrunk_from = failure.switch_count + 1'000;
  expect_approved("shrunk.txt", interleaving_text(failure, kPlain));
}
TEST(Baseline, Progress) {
  expect_approved("progress.txt", progress_line(example::run().totals, 10'000) + "\n" +
                                      progress_line(explore::Totals{}, 0) + "\n" +
                                      shrink_line({34, 7, 1'234}) + "\n");
}

TEST(Format, TextOfARunIsFailuresWarningsAndSummary) {
  const RunReport report = example::run();
  EXPECT_EQ(find_format("text")->write(report, {kPlain, false}),
            failure_text(report.failures[0], kPlain) + "\n" +
                failure_text(report.failures[1], kPlain) + "\n" +
                lock_order_text(report.lock_orders[0], kPlain) + "\n" +
                summary_text(report, kPlain));
}
TEST(Format, TextOfAReplayShowsOnlyAFailureThatCameBack) {
  ReplayReport report;
  report.verdict = "the sentence";
  report.failures = {example::deadlock()};
  EXPECT_EQ(find_format("text")->write(report, {kPlain, false}), "the sentence\n");
  report.is_reproduced = true;
  EXPECT_EQ(find_format("text")->write(report, {kPlain, false}),
            failure_text(report.failures[0], kPlain) + "\nthe sentence\n");
}
TEST(Format, IsFoundByName) {
  for (const Format& format : kFormats) EXPECT_EQ(find_format(format.name), &format);
  EXPECT_EQ(find_format("no-such-format"), nullptr);
  EXPECT_TRUE(find_format("text")->is_text());
  EXPECT_FALSE(find_format("json")->is_text());
}

TEST(Grouped, PutsCommas) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1,000");
  EXPECT_EQ(grouped(18446744073709551615u), "18,446,744,073,709,551,615");
}

TEST(SourceText, GivesTrimmedLines) {
  SourceText source;
  EXPECT_TRUE(source.line(__FILE__, 1).starts_with("// Every report is compared"));
  EXPECT_EQ(source.line(__FILE__, 1'000'000), "");
  EXPECT_EQ(source.line("/no/such/file", 1), "");
  EXPECT_EQ(source.line("/dev/zero", 1), "");
}

}  // namespace
}  // namespace snag::report
