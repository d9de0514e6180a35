#include "tool/explore/explorer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tool/session/fake_server_for_test.h"

namespace snag::explore {
namespace {

using testing::HasSubstr;

class ExplorerTest : public testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/snag-explorer-XXXXXX";
    folder_ = mkdtemp(name);
    options_.runs = 10;
    options_.settings = without_checks();
    options_.settings.max_steps = 1000;
    options_.settings.seed = 42;
    options_.settings.hang_ms = 500;
    options_.trace_folder = folder_ / "traces";
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  ExploreResult explore(const char* scenario) {
    options_.program = session::fake::program(scenario);
    return Explorer(options_, symbolizer_, hooks_).explore();
  }

  std::filesystem::path folder_;
  ExploreOptions options_;
  ExploreHooks hooks_;
  binary::Symbolizer symbolizer_;
};

TEST_F(ExplorerTest, CleanProgramUsesUpItsBudget) {
  const ExploreResult result = explore("clean");
  EXPECT_FALSE(result.error);
  EXPECT_EQ(result.totals.runs, 10u);
  EXPECT_EQ(result.totals.distinct_orders, 10u);
  EXPECT_TRUE(result.findings.empty());
  EXPECT_FALSE(std::filesystem::exists(options_.trace_folder));
}

TEST_F(ExplorerTest, ServersShareTheRuns) {
  options_.jobs = 3;
  options_.runs = 11;
  EXPECT_EQ(explore("clean").totals.runs, 11u);
}

TEST_F(ExplorerTest, NoMoreServersThanRuns) {
  options_.jobs = 8;
  options_.runs = 2;
  EXPECT_EQ(explore("clean").totals.runs, 2u);
}

TEST_F(ExplorerTest, FailureIsConfirmedAndItsTraceWritten) {
  const ExploreResult result = explore("fails");
  ASSERT_EQ(result.findings.size(), 1u);
  const Finding& finding = result.findings[0];
  EXPECT_TRUE(finding.confirmed()) << finding.replay_problem;
  EXPECT_EQ(finding.found_after, 4u);
  EXPECT_EQ(finding.run.number, 3u);
  ASSERT_EQ(finding.run.frames.size(), finding.run.steps.size() * kStepFrames);
  EXPECT_EQ(finding.run.callers(1)[0], 0x3000u);
  EXPECT_EQ(finding.output, "output of run 3\n");
  EXPECT_THAT(finding.trace_path, HasSubstr("explorer_test-deadlock-1.snag"));
  const auto trace = trace::read_trace(finding.trace_path);
  ASSERT_TRUE(trace.has_value()) << trace.error().message;
  EXPECT_TRUE(trace->confirmed);
  EXPECT_EQ(trace->settings.seed, 42u);
  EXPECT_EQ(trace->run, 3u);
}

struct DoubtCase {
  const char* scenario;
  const char* problem;
};
class ExplorerDoubt : public ExplorerTest, public testing::WithParamInterface<DoubtCase> {};

TEST_P(ExplorerDoubt, IsSaid) {
  const ExploreResult result = explore(GetParam().scenario);
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_FALSE(result.findings[0].confirmed());
  EXPECT_TRUE(result.findings[0].run.frames.empty());  // the found run stays
  EXPECT_THAT(result.findings[0].replay_problem, HasSubstr(GetParam().problem));
}

INSTANTIATE_TEST_SUITE_P(All, ExplorerDoubt,
                         testing::Values(DoubtCase{"flaky", "not by the same events"},
                                         DoubtCase{"diverges", "thread 2 cannot run"},
                                         DoubtCase{"gone", "did not fail"}));

TEST_F(ExplorerTest, KeepGoingCollectsEachFailureOnce) {
  options_.keep_going = true;
  const ExploreResult result = explore("two-kinds");
  ASSERT_EQ(result.findings.size(), 2u);
  EXPECT_EQ(result.totals.runs, 10u);
  EXPECT_EQ(result.findings[0].count, 5u);
  EXPECT_EQ(result.findings[1].count, 5u);
}

TEST_F(ExplorerTest, TimeEndsTheSearch) {
  options_.runs = 0;
  options_.time = std::chrono::duration<double>(0.3);
  const ExploreResult result = explore("clean");
  EXPECT_FALSE(result.error);
  EXPECT_GT(result.totals.runs, 0u);
  EXPECT_LT(result.totals.elapsed.count(), 5);
}

TEST_F(ExplorerTest, InterruptEndsTheSearch) {
  options_.runs = 0;
  int rounds = 0;
  hooks_.should_stop = [&] { return ++rounds > 2; };
  EXPECT_TRUE(explore("clean").interrupted);
}

TEST_F(ExplorerTest, ServerThatDiesIsAnError) {
  const ExploreResult result = explore("dies");
  ASSERT_TRUE(result.error);
  EXPECT_EQ(result.totals.runs, 5u);
}

TEST_F(ExplorerTest, UnwritableFolderIsAnErrorButTheFindingIsKept) {
  options_.trace_folder = "/proc/none/traces";
  const ExploreResult result = explore("fails");
  EXPECT_EQ(result.findings.size(), 1u);
  ASSERT_TRUE(result.error);
  EXPECT_EQ(result.error->kind, ErrorKind::kUsage);
}

}  // namespace
}  // namespace snag::explore
