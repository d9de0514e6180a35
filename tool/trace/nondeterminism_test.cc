#include "tool/trace/nondeterminism.h"

#include <gtest/gtest.h>

namespace snag::trace {
namespace {

session::FailedRun run_of(std::initializer_list<Tid> threads) {
  session::FailedRun run;
  run.kind = FailureKind::kAssert;
  run.message = "assertion `x' failed";
  for (const Tid thread : threads) {
    Step step{};
    step.thread = thread;
    step.kind = OpKind::kMutexLock;
    run.steps.push_back(step);
  }
  return run;
}

TEST(Nondeterminism, SaysWhatTheReplayDidInstead) {
  binary::Symbolizer symbolizer;
  ReplayResult replay;
  replay.end = ReplayEnd::kNoFailure;
  EXPECT_TRUE(explain_difference(run_of({0, 1}), replay, symbolizer)
                  .starts_with("the replay did not fail"));
  replay.end = ReplayEnd::kDiverged;
  replay.message = "thread 1 cannot run here";
  EXPECT_NE(explain_difference(run_of({0, 1}), replay, symbolizer).find("thread 1 cannot run here"),
            std::string::npos);
}

TEST(Nondeterminism, NamesTheFirstStepThatDiffers) {
  binary::Symbolizer symbolizer;
  ReplayResult replay;
  replay.end = ReplayEnd::kSameFailure;
  replay.run = run_of({0, 1, 0});
  const std::string text = explain_difference(run_of({0, 1, 2}), replay, symbolizer);
  EXPECT_NE(text.find("part at step 3, where T2 was to lock"), std::string::npos) << text;
}

TEST(Nondeterminism, NamesWhatNoScheduleDecides) {
  binary::Symbolizer symbolizer;
  ReplayResult replay;
  replay.end = ReplayEnd::kNoFailure;
  EXPECT_NE(explain_difference(run_of({0}), replay, symbolizer).find("addresses used as values"),
            std::string::npos);
  replay.uncontrolled = {"real clocks", "foreign threads"};
  const std::string text = explain_difference(run_of({0}), replay, symbolizer);
  EXPECT_NE(text.find("real clocks, foreign threads"), std::string::npos) << text;
  EXPECT_EQ(text.find("addresses"), std::string::npos) << text;
}

TEST(Nondeterminism, NamesFilesThatRunsChanged) {
  binary::Symbolizer symbolizer;
  ReplayResult replay;
  replay.end = ReplayEnd::kNoFailure;
  session::FailedRun run = run_of({0});
  run.changed_files.files = {{"count.txt", FileChange::kCreated}};
  replay.changed_files.files = {{"count.txt", FileChange::kModified}};
  std::string text = explain_difference(run, replay, symbolizer);
  EXPECT_NE(text.find("count.txt (created)"), std::string::npos) << text;
  EXPECT_NE(text.find("--cwd-snapshot on"), std::string::npos) << text;
  EXPECT_EQ(text.find("addresses"), std::string::npos) << text;
  replay.uncontrolled = {"real clocks"};
  text = explain_difference(run, replay, symbolizer);
  EXPECT_NE(text.find("count.txt"), std::string::npos) << text;
  EXPECT_NE(text.find("real clocks"), std::string::npos) << text;
}

TEST(Nondeterminism, AnInterruptedReplayProvesNothing) {
  binary::Symbolizer symbolizer;
  ReplayResult replay;
  replay.end = ReplayEnd::kInterrupted;
  EXPECT_EQ(explain_difference(run_of({0}), replay, symbolizer), "the replay was interrupted");
}

}  // namespace
}  // namespace snag::trace
