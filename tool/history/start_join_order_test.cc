#include "tool/history/start_join_order.h"

#include <gtest/gtest.h>

namespace snag::history {
namespace {

TEST(StartJoinOrder, WhatComesBeforeTheStartIsBeforeAllOfTheThread) {
  StartJoinOrder order;
  order.create(0, 0, 1);
  EXPECT_TRUE(order.is_before(0, 0, 1, 0));
  EXPECT_FALSE(order.is_before(0, 1, 1, 0));  // after the start
  EXPECT_FALSE(order.is_before(1, 0, 0, 1));
  EXPECT_EQ(order.time(0), 1u);
  EXPECT_EQ(order.time(1), 0u);
}

TEST(StartJoinOrder, AllOfAThreadIsBeforeWhatComesAfterItsJoin) {
  StartJoinOrder order;
  order.create(0, 0, 1);
  order.create(1, 0, 2);
  order.join(0, 1, 1);
  EXPECT_FALSE(order.is_before(1, 0, 0, 1));  // before the join
  EXPECT_TRUE(order.is_before(1, 0, 0, 2));
  EXPECT_TRUE(order.is_before(1, 1, 0, 2));
  EXPECT_FALSE(order.is_before(2, 0, 0, 2));  // which nobody has joined
}

TEST(StartJoinOrder, GoesOnThroughThirdThreads) {
  StartJoinOrder order;
  order.create(0, 0, 1);
  order.create(1, 0, 2);
  EXPECT_TRUE(order.is_before(0, 0, 2, 0));
  order.join(1, 1, 2);
  order.join(0, 1, 1);
  order.create(0, 2, 3);
  EXPECT_TRUE(order.is_before(2, 0, 3, 0));
  EXPECT_TRUE(order.is_before(1, 7, 3, 0));
  EXPECT_FALSE(order.is_before(3, 0, 2, 0));
}

}  // namespace
}  // namespace snag::history
