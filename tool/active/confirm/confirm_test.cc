#include "tool/active/confirm/confirm.h"

#include <gtest/gtest.h>

namespace snag::active {
namespace {

TEST(Confirm, OutputNamesAPlaceAsAWhole) {
  EXPECT_TRUE(names("/src/queue_test.cc:12: Failure", "queue_test.cc:12"));
  EXPECT_TRUE(names("queue_test.cc:12", "queue_test.cc:12"));
  EXPECT_TRUE(names("queue_test.cc:120: Failure\nqueue_test.cc:12: Failure", "queue_test.cc:12"));
  EXPECT_FALSE(names("queue_test.cc:120: Failure", "queue_test.cc:12"));
  EXPECT_FALSE(names("my_queue_test.cc:12: Failure", "queue_test.cc:12"));
  EXPECT_FALSE(names("", "queue_test.cc:12"));
}

TEST(Confirm, WhatWasReachedIsExplained) {
  Candidate race;
  race.sides = {{{}, "reads x at a.cc:1"}, {{}, "writes x at a.cc:2"}};
  explore::DirectedTotals reached;
  EXPECT_EQ(closest(race, reached, {}), "no thread reached the place where it reads x at a.cc:1");
  reached.arrived = 3;
  EXPECT_EQ(closest(race, reached, {}),
            "threads reached both places, but never at the same time for the same memory");
  reached.happened = 4;
  EXPECT_NE(closest(race, reached, {}).find("that is not a race"), std::string::npos);
  EXPECT_NE(closest(race, reached, {2, ""}).find("something else failed"), std::string::npos);
  EXPECT_EQ(closest(race, reached, {2, "the replay went another way"}),
            "it happened, but did not come again: the replay went another way");
}

}  // namespace
}  // namespace snag::active
