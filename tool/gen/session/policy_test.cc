#include "tool/gen/session/policy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

namespace snag::gen {
namespace {

using testing::ElementsAreArray;

// Table I of the paper, for covered counts from 0 to 10.
TEST(Score, IsThatOfTheTable) {
  const std::map<std::uint64_t, std::vector<std::uint64_t>> rows = {
      {0, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}},
      {1, {1, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9}},
      {2, {4, 2, 2, 2, 4, 6, 8, 10, 12, 14, 16}},
      {5, {25, 20, 15, 10, 5, 5, 5, 10, 15, 20, 25}},
      {10, {100, 90, 80, 70, 60, 50, 40, 30, 20, 10, 10}}};
  for (const auto& [tried, expected] : rows) {
    std::vector<std::uint64_t> scores;
    for (std::uint64_t covered = 0; covered <= 10; ++covered)
      scores.push_back(score(tried, covered));
    EXPECT_THAT(scores, ElementsAreArray(expected)) << "tried " << tried;
  }
}

TEST(PairCounts, HasEveryUnorderedPairOnce) {
  const PairCounts counts(52);
  EXPECT_EQ(counts.size(), 1378u);
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const MethodPair pair = counts.pair(i);
    EXPECT_EQ(counts.index(pair.first, pair.second), i);
    EXPECT_EQ(counts.index(pair.second, pair.first), i);
  }
}

TEST(Covcon, TakesThePairOfTheLowestScore) {
  PairCounts counts(4);
  const std::uint64_t covered_tried[10][2] = {{11, 11}, {8, 5},  {10, 10}, {11, 11}, {1, 5},
                                              {0, 4},   {10, 2}, {9, 10},  {7, 3},   {10, 1}};
  for (std::size_t i = 0; i < 10; ++i) {
    counts.add_covered(i, covered_tried[i][0]);
    counts.add_tried(i, covered_tried[i][1]);
  }
  Random random(1);
  const auto next = make_policy(PolicyKind::kCovcon)->next(counts, random);
  EXPECT_EQ(next, (MethodPair{3, 3}));
  EXPECT_EQ(score(1, 10), 9u);
  EXPECT_EQ(counts.tried(counts.index(3, 3)), 2u);
}

TEST(Covcon, DrawsEachPairOfThePoolOnce) {
  for (const PolicyKind kind : {PolicyKind::kCovcon, PolicyKind::kNaive}) {
    PairCounts counts(5);
    Random random(7);
    const auto policy = make_policy(kind);
    std::set<std::size_t> drawn;
    for (std::size_t i = 0; i < counts.size(); ++i) {
      const auto pair = policy->next(counts, random);
      ASSERT_TRUE(pair);
      drawn.insert(counts.index(pair->first, pair->second));
    }
    EXPECT_EQ(drawn.size(), counts.size());
  }
}

TEST(Covcon, LeavesOutWhatCannotBeCalled) {
  PairCounts counts(3);
  Random random(3);
  const auto policy = make_policy(PolicyKind::kCovcon);
  policy->next(counts, random);
  counts.exclude(1);
  for (int i = 0; i < 50; ++i) {
    const auto pair = policy->next(counts, random);
    ASSERT_TRUE(pair);
    EXPECT_TRUE(pair->first != 1 && pair->second != 1);
  }
  counts.exclude(0);
  counts.exclude(2);
  EXPECT_FALSE(policy->next(counts, random));
}

TEST(Naive, PrefersWhatWasTriedLeast) {
  PairCounts counts(2);
  counts.add_tried(0, 3);
  counts.add_tried(1, 1);
  counts.add_tried(2, 2);
  counts.add_covered(1, 100);
  Random random(1);
  EXPECT_EQ(make_policy(PolicyKind::kNaive)->next(counts, random), counts.pair(1));
}

}  // namespace
}  // namespace snag::gen
