#include "protocol/guide.h"

#include <gtest/gtest.h>

#include <vector>

namespace snag::rt {
namespace {

class GuideTest : public testing::Test {
 protected:
  static constexpr std::uint32_t kThreads = 4;

  // Who is wanted at a step, if these can go on.
  Tid wanted(std::uint64_t step, std::vector<Tid> enabled, Tid current = 0) {
    enabled_ = std::move(enabled);
    return guide_.wanted(world(step, current));
  }
  World world(std::uint64_t step, Tid current) {
    bool current_enabled = false;
    for (const Tid thread : enabled_) current_enabled |= thread == current;
    return {enabled_, current, current_enabled, step, pending_, timeout_, kThreads};
  }

  Guide guide_;
  std::vector<Tid> enabled_;
  Op pending_[kThreads] = {};
  std::uint8_t timeout_[kThreads] = {};
};

TEST_F(GuideTest, FollowsWhatCanBeFollowed) {
  const std::vector<Stretch> schedule{{0, 0, 2}, {1, 0, 1}, {0, 0, 1}};
  guide_.begin(schedule);
  const std::vector<Tid> all{0, 1};
  EXPECT_EQ(wanted(0, all), 0);
  EXPECT_EQ(wanted(1, all), 0);
  EXPECT_EQ(wanted(2, all), 1);
  EXPECT_EQ(wanted(3, all), 0);
  EXPECT_EQ(wanted(4, all), kNoTid);
}

TEST_F(GuideTest, StepsThatNobodyAskedForCount) {
  const std::vector<Stretch> schedule{{0, 0, 3}, {1, 0, 1}};
  guide_.begin(schedule);
  EXPECT_EQ(wanted(0, {0, 1}), 0);
  EXPECT_EQ(wanted(3, {0, 1}), 1);  // 1 and 2 were silent
}

TEST_F(GuideTest, SilentStepsAtTheBeginCountToo) {
  const std::vector<Stretch> schedule{{0, 0, 3}, {1, 0, 1}};
  guide_.begin(schedule);
  EXPECT_EQ(wanted(1, {0, 1}), 0);
  EXPECT_EQ(wanted(2, {0, 1}), 0);
  EXPECT_EQ(wanted(3, {0, 1}), 1);
}

TEST_F(GuideTest, StretchOfAThreadThatCannotRunIsOver) {
  const std::vector<Stretch> schedule{{1, 0, 5}, {2, 0, 2}, {1, 0, 1}};
  guide_.begin(schedule);
  EXPECT_EQ(wanted(0, {0, 2}), 2);     // not made yet
  EXPECT_EQ(wanted(1, {0, 1}, 2), 1);  // blocked in between
  EXPECT_EQ(wanted(2, {0, 1}, 1), kNoTid);
}

TEST_F(GuideTest, UntilItBlocks) {
  const std::vector<Stretch> schedule{{1, 0, kUntilBlocked}, {0, 0, 1}};
  guide_.begin(schedule);
  for (std::uint64_t step = 0; step < 100; ++step) EXPECT_EQ(wanted(step, {0, 1}, 1), 1);
  EXPECT_EQ(wanted(100, {0, 2}, 1), 0);
}

TEST_F(GuideTest, AWaitWithADeadlineBlocksToo) {
  const std::vector<Stretch> schedule{{1, 0, kUntilBlocked}, {1, 0, kUntilBlocked}};
  guide_.begin(schedule);
  EXPECT_EQ(wanted(0, {0, 1}, 1), 1);
  timeout_[1] = 1;
  EXPECT_EQ(wanted(1, {0, 1}, 1), 1);  // the second stretch begins with the timeout
  timeout_[1] = 0;
  EXPECT_EQ(wanted(2, {0, 1}, 1), 1);
  timeout_[1] = 1;
  EXPECT_EQ(wanted(3, {0, 1}, 1), kNoTid);
}

TEST_F(GuideTest, FallbackIsTheSameThreadThenTheFirst) {
  enabled_ = {3, 2, 1};
  EXPECT_EQ(Guide::fallback(world(0, 2)), 2);
  EXPECT_EQ(Guide::fallback(world(0, 0)), 1);
  timeout_[1] = timeout_[2] = 1;
  EXPECT_EQ(Guide::fallback(world(0, 2)), 3);
  timeout_[3] = 1;
  EXPECT_EQ(Guide::fallback(world(0, 2)), 1);
}

}  // namespace
}  // namespace snag::rt
