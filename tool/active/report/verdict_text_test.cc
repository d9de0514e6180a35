#include "tool/active/report/verdict_text.h"

#include <gtest/gtest.h>

namespace snag::active {
namespace {

Verdict verdict(Kind kind, Verdict::End end) {
  Verdict verdict;
  verdict.candidate.kind = kind;
  verdict.candidate.title = "the title";
  verdict.end = end;
  verdict.runs = 50;
  return verdict;
}

struct ActiveTextTest : ::testing::Test {
  ActiveTextTest() { result.watched_runs = 3; }
  std::string text(bool all = false) {
    return result_text(result, symbolizer, Painter(false), {false, all});
  }
  bool has(const std::string& part, bool all = false) {
    return text(all).find(part) != std::string::npos;
  }
  binary::Symbolizer symbolizer;
  ActiveResult result;
};

TEST_F(ActiveTextTest, NothingIsPredictedOfOneThread) {
  EXPECT_EQ(text(), "nothing was predicted from 3 runs; only one thread ran\n");
  result.has_threads = true;
  EXPECT_EQ(text(), "nothing was predicted from 3 runs\n");
}

TEST_F(ActiveTextTest, WhatWasNotReproducedIsCountedByKind) {
  for (int i = 0; i < 1200; ++i)
    result.verdicts.push_back(verdict(Kind::kRace, Verdict::End::kNotReproduced));
  result.verdicts.push_back(verdict(Kind::kDeadlock, Verdict::End::kNotReproduced));
  result.verdicts.push_back(verdict(Kind::kAssertion, Verdict::End::kNotReproduced));
  EXPECT_TRUE(has("0 of 1,202 candidates confirmed, in 0 runs steered after 3 watched\n"));
  EXPECT_TRUE(
      has("not reproduced (--all shows them): 1,200 races, 1 deadlock and 1 failing check\n"));
  EXPECT_FALSE(has("the title"));
  EXPECT_TRUE(has("not reproduced in 50 runs: race: the title\n  closest: ", true));
}

TEST_F(ActiveTextTest, WhatIsSuppressedIsCalledSo) {
  result.verdicts.push_back(verdict(Kind::kRace, Verdict::End::kSuppressed));
  result.verdicts[0].candidate.suppressed_by = "race:stats";
  EXPECT_TRUE(has("  1 suppressed (--all shows them)\n"));
  EXPECT_TRUE(has("suppressed by race:stats: race: the title\n", true));
}

TEST_F(ActiveTextTest, WhatHappenedBeforeItsTurnHasNoRunsOfItsOwn) {
  result.verdicts.push_back(verdict(Kind::kDeadlock, Verdict::End::kConfirmed));
  result.verdicts[0].trace_path = "t.snag";
  EXPECT_TRUE(has("confirmed deadlock after 50 runs: the title\n"));
  result.verdicts[0].runs = 0;
  EXPECT_TRUE(has("confirmed deadlock in a run for something else: the title\n"));
}

TEST_F(ActiveTextTest, AnInterruptedSearchIsSaidToBeOne) {
  result.verdicts.push_back(verdict(Kind::kRace, Verdict::End::kNotTried));
  EXPECT_FALSE(has("interrupted"));
  result.interrupted = true;
  EXPECT_TRUE(has("  interrupted: "));
  EXPECT_TRUE(has("  1 not tried: call it again to continue\n"));
}

TEST_F(ActiveTextTest, AnEntryThatDoesNotSayWhichVariableItIsIsUnclear) {
  result.report.emplace().entries.push_back({Kind::kRace, 7, 1, {0, 1}, "", true});
  result.verdicts.push_back(verdict(Kind::kRace, Verdict::End::kConfirmed));
  result.verdicts.push_back(verdict(Kind::kRace, Verdict::End::kNotReproduced));
  result.verdicts[0].candidate.variable = "stats";
  result.verdicts[1].candidate.variable = "published";
  EXPECT_TRUE(
      has("unclear, entry 1 (line 7) of the report: race: the report does not say which "
          "variable it is: stats confirmed, published not reproduced\n"));
  result.verdicts[1].end = Verdict::End::kConfirmed;
  EXPECT_TRUE(has("1 different: 1 confirmed, 0 not reproduced\n"));
}

}  // namespace
}  // namespace snag::active
