// Active testing of a program that a stand-in for the runtime plays.
#include "tool/active/session/active_session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tool/session/fake_server_for_test.h"

namespace snag::active {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class ActiveSessionTest : public ::testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/snag-active-XXXXXX";
    folder_ = mkdtemp(name);
    options_.explore.runs = 5;
    options_.explore.settings.max_steps = 1000;
    options_.explore.settings.seed = 42;
    options_.explore.settings.hang_ms = 500;
    options_.explore.trace_folder = folder_ / "traces";
    options_.file = folder_ / "verdicts";
  }
  void TearDown() override { fs::remove_all(folder_); }

  Expected<ActiveResult> run(const char* scenario) {
    options_.explore.program = session::fake::program(scenario);
    binary::Symbolizer symbolizer;
    return test_actively(options_, symbolizer, hooks_);
  }

  std::size_t traces() const {
    const fs::path folder = options_.explore.trace_folder;
    if (!fs::exists(folder)) return 0;
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
  }

  fs::path folder_;
  ActiveOptions options_;
  ActiveHooks hooks_;
};

TEST_F(ActiveSessionTest, NothingIsPredictedForAProgramWithOneThread) {
  const auto result = run("clean");
  ASSERT_TRUE(result.has_value()) << result.error().message;
  EXPECT_THAT(result->verdicts, IsEmpty());
  EXPECT_THAT(result->failures, IsEmpty());
  EXPECT_EQ(result->watched_runs, 3u);
  EXPECT_EQ(result->watched_more, "");  // more runs would not help
  EXPECT_FALSE(result->has_threads);
  EXPECT_FALSE(result->interrupted);
  EXPECT_EQ(traces(), 0u);
  EXPECT_TRUE(fs::exists(options_.file));
}

// Run 3 fails.
TEST_F(ActiveSessionTest, AFailureThatWasNotPredictedIsReportedOnce) {
  options_.watched_runs = 5;
  const auto result = run("fails");
  ASSERT_TRUE(result.has_value()) << result.error().message;
  ASSERT_THAT(result->failures, SizeIs(1));
  EXPECT_TRUE(result->failures[0].confirmed());
  EXPECT_EQ(result->failures[0].run.kind, FailureKind::kDeadlock);
  EXPECT_THAT(result->failures[0].trace_path, HasSubstr("deadlock"));
  EXPECT_EQ(traces(), 1u);
}

TEST_F(ActiveSessionTest, MoreRunsAreWatchedIfSomeEndEarly) {
  options_.watched_runs = 4;
  const auto result = run("fails");
  ASSERT_TRUE(result.has_value()) << result.error().message;
  EXPECT_EQ(result->watched_runs, 10u);
  EXPECT_EQ(result->watched_more, "1 of the first 4 failed before the end");
}

TEST_F(ActiveSessionTest, NoMoreRunsAreWatchedThanAskedFor) {
  options_.watched_runs = 4;
  options_.may_watch_more = false;
  const auto result = run("fails");
  ASSERT_TRUE(result.has_value()) << result.error().message;
  EXPECT_EQ(result->watched_runs, 4u);
  EXPECT_THAT(result->failures, SizeIs(1));
}

TEST_F(ActiveSessionTest, ALaterCallRecallsTheFailure) {
  options_.watched_runs = 5;
  ASSERT_THAT(run("fails").value().failures, SizeIs(1));
  const auto again = run("fails");
  ASSERT_TRUE(again.has_value()) << again.error().message;
  EXPECT_THAT(again->failures, IsEmpty());
  ASSERT_THAT(again->earlier_failures, SizeIs(1));
  EXPECT_THAT(again->earlier_failures[0].text, HasSubstr("deadlock"));
  EXPECT_TRUE(fs::exists(again->earlier_failures[0].trace_path));
  EXPECT_EQ(traces(), 1u);
}

TEST_F(ActiveSessionTest, WithoutItsTraceAFailureIsNewAgain) {
  options_.watched_runs = 5;
  fs::remove(run("fails").value().failures.at(0).trace_path);
  const auto again = run("fails");
  ASSERT_TRUE(again.has_value()) << again.error().message;
  EXPECT_THAT(again->failures, SizeIs(1));
  EXPECT_THAT(again->earlier_failures, IsEmpty());
}

TEST_F(ActiveSessionTest, VerdictsOfAnotherProgramDoNotCount) {
  options_.watched_runs = 5;
  ASSERT_THAT(run("fails").value().failures, SizeIs(1));
  options_.explore.program_hash = 7;
  EXPECT_THAT(run("fails").value().failures, SizeIs(1));
}

TEST_F(ActiveSessionTest, AFileOfAnotherKindIsNotOverwritten) {
  std::ofstream(options_.file) << "something else";
  const auto result = run("clean");
  ASSERT_FALSE(result.has_value());
  std::ifstream file(options_.file);
  std::string text;
  std::getline(file, text);
  EXPECT_EQ(text, "something else");
}

TEST_F(ActiveSessionTest, AProgramThatCannotBeControlledIsAnError) {
  const auto result = run("refuse");
  ASSERT_FALSE(result.has_value());
  EXPECT_THAT(result.error().message, HasSubstr("this program cannot be controlled"));
}

TEST_F(ActiveSessionTest, AnInterruptEndsItWithWhatIsKnown) {
  hooks_.should_stop = [] { return true; };
  const auto result = run("clean");
  ASSERT_TRUE(result.has_value()) << result.error().message;
  EXPECT_TRUE(result->interrupted);
  EXPECT_THAT(result->verdicts, IsEmpty());
}

}  // namespace
}  // namespace snag::active
