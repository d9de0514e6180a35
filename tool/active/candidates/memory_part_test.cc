#include "tool/active/candidates/memory_part.h"

#include <gtest/gtest.h>

namespace snag::active {
namespace {

TEST(SimpleName, IsTheVariableByItself) {
  EXPECT_EQ(simple_name("stats"), "stats");
  EXPECT_EQ(simple_name("ns::Queue<ns::Item>::count"), "count");
  EXPECT_EQ(simple_name("Limit<ns::Item>"), "Limit");
  EXPECT_EQ(simple_name("F(int)::local"), "local");
  EXPECT_EQ(simple_name("_ZZ1FvE5local"), "local");
  EXPECT_EQ(simple_name("_ZN2nsL6hiddenE"), "hidden");
  EXPECT_EQ(simple_name("_Z3not mangled"), "mangled");
  EXPECT_EQ(simple_name("calls.12"), "calls");
  EXPECT_EQ(simple_name("arr[3]"), "arr");
  EXPECT_EQ(simple_name("x2"), "x2");
  EXPECT_EQ(simple_name(""), "");
  EXPECT_EQ(simple_name(">>"), "");
  EXPECT_EQ(simple_name(".5"), "5");
}

using Kind = MemoryPart::Kind;

TEST(Agreement, OtherMemoryIsAContradiction) {
  const MemoryPart stats{Kind::kVariable, "stats", 0, 4};
  const MemoryPart published{Kind::kVariable, "published", 0, 4};
  const MemoryPart heap{Kind::kHeap, "", 8, 16};
  EXPECT_LT(agreement(stats, 4, published), 0);
  EXPECT_LT(agreement(stats, 4, heap), 0);
  EXPECT_LT(agreement(heap, 4, stats), 0);
  EXPECT_LT(agreement({Kind::kStack, "", 0, 0}, 4, stats), 0);
  EXPECT_GT(agreement(stats, 4, stats), 0);
  EXPECT_EQ(agreement({Kind::kVariable, "", 0, 0}, 4, stats), 0);
  EXPECT_EQ(agreement({}, 4, stats), 0);
  EXPECT_EQ(agreement(stats, 4, {}), 0);
}

TEST(Agreement, TheSamePlaceInABlockIsBetterThanAnother) {
  const MemoryPart reported{Kind::kHeap, "", 8, 16};
  const int here = agreement(reported, 8, {Kind::kHeap, "", 8, 16});
  const int there = agreement(reported, 8, {Kind::kHeap, "", 0, 16});
  const int elsewhere = agreement(reported, 8, {Kind::kHeap, "", 8, 24});
  EXPECT_GT(here, there);
  EXPECT_GT(there, elsewhere);
  EXPECT_EQ(elsewhere, 0);
}

}  // namespace
}  // namespace snag::active
