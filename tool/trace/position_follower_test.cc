#include "tool/trace/position_follower.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace snag::trace {
namespace {

using testing::HasSubstr;

Position at(int line, OpKind op = OpKind::kMutexLock) {
  return {op, "f", "f.cc", 100 + line, 1, line, ""};
}

class Follower : public testing::Test {
 protected:
  // Asks, and returns the thread that is to run.
  Tid ask(PositionFollower& follower, Tid current, Position position, std::vector<Tid> enabled) {
    last_ = follower.answer({current, std::move(position), enabled});
    return last_.thread;
  }
  PositionFollower::Answer last_;
};

TEST_F(Follower, SwitchesAtTheRecordedOccurrence) {
  PositionFollower follower({{0, 3, at(5), 2, 1}});
  EXPECT_EQ(ask(follower, 0, at(5), {0, 1}), 0);  // the first time is not the one
  EXPECT_EQ(ask(follower, 0, at(6), {0, 1}), 0);
  EXPECT_EQ(ask(follower, 0, at(5), {0, 1}), 1);
  EXPECT_EQ(ask(follower, 1, at(7), {0, 1}), 1);  // behind the last switch: go on
  EXPECT_EQ(follower.switches_done(), 1u);
  EXPECT_EQ(follower.divergence() + follower.deviation(), "");
}

TEST_F(Follower, LinesMayHaveMoved) {
  Position moved = at(5);
  moved.line += 10;
  PositionFollower follower({{0, 1, at(5), 1, 1}});
  EXPECT_EQ(ask(follower, 0, moved, {0, 1}), 1);
}

TEST_F(Follower, PlainAccessesElsewhereAreIgnored) {
  PositionFollower follower({{0, 1, at(5, OpKind::kWrite), 1, 1}});
  EXPECT_EQ(ask(follower, 0, at(4, OpKind::kRead), {0, 1}), 0);
  EXPECT_TRUE(last_.ignore);
  EXPECT_EQ(ask(follower, 0, at(5, OpKind::kRead), {0, 1}), 0);  // the read before the write
  EXPECT_TRUE(last_.ignore);
  EXPECT_EQ(ask(follower, 0, at(5, OpKind::kWrite), {0, 1}), 1);
  EXPECT_FALSE(last_.ignore);
}

TEST_F(Follower, LibraryAccessIsNotIgnoredIfItIsAStopFromElsewhere) {
  Position stop = at(5, OpKind::kRead);
  stop.via = "std::vector::size+2:9";
  Position elsewhere = stop;
  elsewhere.line_in_function = 4;
  Position other = elsewhere;
  other.via = "std::vector::begin+2:9";
  PositionFollower follower({{0, 1, stop, 1, 1}});
  EXPECT_EQ(ask(follower, 0, elsewhere, {0, 1}), 0);
  EXPECT_FALSE(last_.ignore);
  EXPECT_EQ(ask(follower, 0, other, {0, 1}), 0);
  EXPECT_TRUE(last_.ignore);
  EXPECT_EQ(ask(follower, 0, stop, {0, 1}), 1);
}

TEST_F(Follower, WaitThatEndsOtherwiseThanItBegan) {
  // Recorded: T0 waits on a condition variable (its next step is the lock), T1 goes on, then T0
  // again.
  PositionFollower follower({{0, 1, at(5, OpKind::kMutexLock), 2, 1}, {1, 1, std::nullopt, 0, 0}});
  EXPECT_EQ(ask(follower, 0, at(5, OpKind::kCondWait), {0, 1}), 0);
  EXPECT_EQ(ask(follower, 0, at(5, OpKind::kCondWait), {1}), 1);
  EXPECT_EQ(ask(follower, 1, at(9), {0, 1}), 1);
  EXPECT_EQ(ask(follower, kNoTid, {}, {0}), 0);  // T1 has ended
  EXPECT_EQ(follower.divergence() + follower.deviation(), "");
}

TEST_F(Follower, TimedWaitIsLeftThoughItCouldTimeOut) {
  PositionFollower follower({{0, 1, at(5, OpKind::kTimeout), 1, 1}});
  EXPECT_EQ(ask(follower, 0, at(5, OpKind::kSleep), {0, 1}), 1);
}

TEST_F(Follower, BlockedThreadIsLeftEarlyAndRemembered) {
  PositionFollower follower({{0, 3, at(5), 1, 1}});
  EXPECT_EQ(ask(follower, 0, at(3), {1}), 1);
  EXPECT_EQ(follower.divergence(), "");
  EXPECT_THAT(follower.deviation(),
              HasSubstr("switch 1 of 1: thread 0 was expected at f.cc:105 'f' (1st lock)"));
}

TEST_F(Follower, SaysWhereItDiverged) {
  PositionFollower follower({{0, 3, at(5), 3, 1}});
  EXPECT_EQ(ask(follower, kNoTid, {}, {2}), kNoTid);
  EXPECT_EQ(follower.divergence(),
            "diverged at switch 1 of 1: thread 0 was expected at f.cc:105 'f' (3rd lock), but it "
            "blocked or ended");
}

TEST_F(Follower, TargetThatCannotRunIsADivergence) {
  PositionFollower follower({{0, 3, at(5), 1, 7}});
  EXPECT_EQ(ask(follower, 0, at(5), {0, 1}), kNoTid);
  EXPECT_THAT(follower.divergence(), HasSubstr("then thread 7 should continue, but it cannot run"));
}

TEST_F(Follower, SaysWhatAProgramThatEndedDidNotGetTo) {
  PositionFollower follower({{0, 3, at(5), 1, 1}});
  EXPECT_EQ(follower.unfinished(),
            "diverged at switch 1 of 1: thread 0 was expected at f.cc:105 'f' (1st lock), but the "
            "program ended");
  EXPECT_EQ(ask(follower, 0, at(5), {0, 1}), 1);
  EXPECT_EQ(follower.unfinished(), "");
}

TEST_F(Follower, EndOfScheduleTakesAnybody) {
  PositionFollower follower({});
  EXPECT_EQ(ask(follower, 0, at(1), {0, 1}), 0);
  EXPECT_EQ(ask(follower, kNoTid, {}, {3, 2}), 2);
}

}  // namespace
}  // namespace snag::trace
