#include "tool/gen/judge/linearize.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace snag::gen {
namespace {

TEST(Orders, AreAllMergesOnce) {
  EXPECT_EQ(all_orders({2, 2}, 1000).size(), 6u);
  EXPECT_EQ(all_orders({5, 5}, 1000).size(), 252u);
  const auto three = all_orders({1, 2, 1}, 1000);
  EXPECT_EQ(three.size(), 12u);
  EXPECT_EQ(std::set<Order>(three.begin(), three.end()).size(), 12u);
  EXPECT_EQ(all_orders({0, 0}, 10), std::vector<Order>{Order{}});
}

TEST(Orders, EndAtTheLimit) { EXPECT_EQ(all_orders({5, 5}, 100).size(), 100u); }

TEST(OrderCount, IsTheMultinomial) {
  EXPECT_EQ(order_count({2, 2}, 1000), 6u);
  EXPECT_EQ(order_count({5, 5}, 1000), 252u);
  EXPECT_EQ(order_count({1, 2, 1}, 1000), 12u);
  EXPECT_EQ(order_count({5, 5, 5}, 1'000'000), 756'756u);
  EXPECT_EQ(order_count({5, 5, 5, 5, 5, 5, 5, 5}, 2000), 2000u);
  EXPECT_EQ(order_count({3, 0}, 10), 1u);
}

TEST(OrderOfEnds, FollowsTheClockNotTheThreads) {
  gen::Test test;
  test.prefix.resize(1);
  test.suffixes = {std::vector<TestCall>(2), std::vector<TestCall>(1)};
  TestOutcome outcome;
  outcome.calls.resize(4);
  outcome.calls[1].end = 10;
  outcome.calls[2].end = 30;
  outcome.calls[3].end = 20;
  EXPECT_EQ(order_of_ends(test, outcome), (Order{0, 1, 0}));
}

}  // namespace
}  // namespace snag::gen
