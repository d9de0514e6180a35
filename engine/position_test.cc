#include "engine/position.h"

#include <gtest/gtest.h>

namespace snag::engine {
namespace {

Step step(Tid thread, std::uint64_t pc, OpKind kind = OpKind::kMutexLock, std::uint8_t flags = 0) {
  return {pc, 0, thread, kind, flags, 0};
}

// Program counters of a file that is not there: each gets a name of its own, without a line.
ModuleMap fake_modules() { return ModuleMap({{0, 0, 0x1000, "/no/such/program"}}); }

TEST(FindStretches, EncodesRunLengths) {
  const auto stretches = find_stretches({step(0, 1), step(0, 2), step(1, 1), step(0, 3)});
  ASSERT_EQ(stretches.size(), 3u);
  EXPECT_EQ(stretches[0].steps, 2u);
  EXPECT_EQ(stretches[1].thread, 1);
  EXPECT_TRUE(find_stretches({}).empty());
}

TEST(FindSwitches, NextStepOfAThreadTellsWhereItStopped) {
  FailedRun run;
  run.modules = fake_modules();
  run.steps = {step(0, 0x10), step(0, 0x20), step(1, 0x30), step(0, 0x20), step(1, 0x40)};
  Symbolizer symbolizer;
  const auto switches = find_switches(run, symbolizer);
  ASSERT_EQ(switches.size(), 3u);
  EXPECT_EQ(switches[0].thread, 0);
  EXPECT_EQ(switches[0].steps, 2u);
  EXPECT_EQ(switches[0].to, 1);
  ASSERT_TRUE(switches[0].until);
  EXPECT_EQ(switches[0].until->function, "program+0x1f");
  EXPECT_EQ(switches[0].occurrence, 2u);  // it had been there before
  EXPECT_EQ(switches[1].until->function, "program+0x3f");
  EXPECT_FALSE(
      switches[2].until);  // T0 never ran again, and no report says what it was about to do
}

TEST(FindSwitches, ReportOfTheFailureTellsAboutThreadsThatNeverRanAgain) {
  FailedRun run;
  run.modules = fake_modules();
  run.steps = {step(0, 0x10), step(1, 0x30)};
  ThreadReport report{};
  report.thread = 0;
  report.status = ThreadStatus::kBlocked;
  report.pending = OpKind::kThreadJoin;
  report.pending_pc = 0x50;
  run.threads = {report};
  Symbolizer symbolizer;
  const auto switches = find_switches(run, symbolizer);
  ASSERT_EQ(switches.size(), 1u);
  ASSERT_TRUE(switches[0].until);
  EXPECT_EQ(switches[0].until->op, OpKind::kThreadJoin);
  EXPECT_EQ(switches[0].until->function, "program+0x4f");
}

TEST(FindSwitches, SilentStepsDoNotCount) {
  FailedRun run;
  run.modules = fake_modules();
  run.steps = {step(0, 0x20, OpKind::kMutexUnlock, kSilentStep), step(1, 0x30),
               step(0, 0x20, OpKind::kMutexUnlock)};
  Symbolizer symbolizer;
  EXPECT_EQ(find_switches(run, symbolizer)[0].occurrence, 1u);
}

TEST(Position, KeyLeavesOutTheAbsoluteLine) {
  const Position one{OpKind::kWrite, "f", "f.cc", 10, 3, 2};
  Position two = one;
  two.line = 99;
  EXPECT_EQ(one.key(), two.key());
  two.line_in_function = 3;
  EXPECT_NE(one.key(), two.key());
}

}  // namespace
}  // namespace snag::engine
