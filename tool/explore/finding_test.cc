#include "tool/explore/finding.h"

#include <gtest/gtest.h>

namespace snag::explore {
namespace {

Races races_in_trace(FailureKind kind, Races of_search) {
  session::FailedRun run;
  run.kind = kind;
  run.race.emplace();
  ExploreOptions options;
  options.settings.races = of_search;
  binary::Symbolizer symbolizer;
  return make_trace(run, options, symbolizer).settings.races;
}

// A replay does not know which races the search let pass: because it looked for another one, or had
// reported them before.
TEST(MakeTrace, OnlyTheReplayOfARaceEndsAtARace) {
  EXPECT_EQ(races_in_trace(FailureKind::kRace, Races::kReport), Races::kFail);
  EXPECT_EQ(races_in_trace(FailureKind::kRace, Races::kFail), Races::kFail);
  EXPECT_EQ(races_in_trace(FailureKind::kHeap, Races::kFail), Races::kReport);
  EXPECT_EQ(races_in_trace(FailureKind::kHeap, Races::kReport), Races::kReport);
  EXPECT_EQ(races_in_trace(FailureKind::kHeap, Races::kOff), Races::kOff);
}

TEST(ShownInFull, IsTheFirstConfirmedOneOfEachGroup) {
  std::vector<Finding> findings(4);
  findings[0].group = findings[2].group = findings[3].group = 7;
  findings[1].group = 2;
  EXPECT_EQ(shown_in_full(findings), (std::vector<std::size_t>{0, 1}));
  findings[2].trace.confirmed = findings[3].trace.confirmed = true;
  EXPECT_EQ(shown_in_full(findings), (std::vector<std::size_t>{2, 1}));
}

}  // namespace
}  // namespace snag::explore
