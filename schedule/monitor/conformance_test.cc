// What each rule of the language means, by example: a schedule, a trace, and what becomes of it.
// The rules in general are compared with past-time LTL in reference_test.cc.
#include <gtest/gtest.h>

#include "schedule/monitor/play_for_test.h"

namespace snag::schedule {
namespace {

std::string violation(std::string_view schedule, const std::string& trace) {
  return Play(schedule).violation_in(trace);
}

// Whether the last action of the trace may happen after those before it, which must be allowed.
bool may(std::string_view schedule, const std::string& trace) {
  const std::size_t last = trace.rfind(' ') + 1;  // npos + 1 is 0
  Play play(schedule);
  EXPECT_EQ(play.forbidden_in(trace.substr(0, last)), "") << schedule;
  return play.may(trace.substr(last));
}

#define KEPT(schedule, trace) EXPECT_EQ(violation(schedule, trace), "")
#define VIOLATED(schedule, trace, by) EXPECT_EQ(violation(schedule, trace), by)
#define MAY(schedule, trace) EXPECT_TRUE(may(schedule, trace))
#define WAITS(schedule, trace) EXPECT_FALSE(may(schedule, trace))

TEST(Conformance, AnEmptyScheduleConstrainsNothing) {
  KEPT("", "a b a start@t end@t block@u");
  MAY("", "a");
}

TEST(Conformance, AnOrdering) {
  KEPT("a -> b", "a b");
  KEPT("a -> b", "a");
  KEPT("a -> b", "");
  VIOLATED("a -> b", "b", "b");
  VIOLATED("a -> b", "b a", "b");
  WAITS("a -> b", "b");
  MAY("a -> b", "a b");
  MAY("a -> b", "a");
}

TEST(Conformance, HasHappenedIsForEver) {
  KEPT("a -> b", "a c block@main unblock@main b");
  MAY("a -> b, c -> d", "a c b");
}

TEST(Conformance, TheRightSideIsTheFirstOccurrence) {
  VIOLATED("[a] -> b", "a@t b", "b");
  KEPT("[a] -> b", "a@t block@t b unblock@t b");
  MAY("[a] -> b", "a@t block@t b unblock@t b");
}

TEST(Conformance, TheConditionIsThatBeforeTheEvent) {
  VIOLATED("a -> a", "a", "a");
  KEPT("!a -> a", "a");
  VIOLATED("!a -> a#2", "a a", "a");
}

TEST(Conformance, SeveralOrderings) {
  VIOLATED("a -> b, c -> d", "a b d", "d");
  KEPT("a -> b, c -> d", "a b c d");
}

TEST(Conformance, SeveralConditionsOfAnEventMustHoldTogether) {
  WAITS("a -> c, b -> c", "c");
  WAITS("a -> c, b -> c", "a c");
  WAITS("a -> c, b -> c", "b c");
  MAY("a -> c, b -> c", "b a c");
  // Not one after the other: t was blocked, and b has happened, but not at the same moment.
  WAITS("[a] -> c, b -> c", "a@t block@t unblock@t b c");
  VIOLATED("[a] -> c, b -> c", "a@t block@t unblock@t b c", "c");
  MAY("[a] -> c, b -> c", "a@t block@t unblock@t b block@t c");
}

TEST(Conformance, AChainIsItsOrderings) {
  WAITS("a -> b -> c", "b");
  WAITS("a -> b -> c", "a c");
  MAY("a -> b -> c", "a b c");
}

TEST(Conformance, Or) {
  WAITS("a || b -> c", "c");
  MAY("a || b -> c", "a c");
  MAY("a || b -> c", "b c");
}

TEST(Conformance, And) {
  WAITS("a && b -> c", "a c");
  WAITS("a && b -> c", "b c");
  MAY("a && b -> c", "b a c");
}

TEST(Conformance, AndBeforeOrAndParentheses) {
  MAY("a || b && c -> d", "a d");
  WAITS("(a || b) && c -> d", "a d");
  MAY("(a || b) && c -> d", "c a d");
}

TEST(Conformance, Not) {
  MAY("!a -> b", "b");
  VIOLATED("!a -> b", "a b", "b");
  KEPT("!a -> b", "b a");
  KEPT("!!a -> b", "a b");
  VIOLATED("!!a -> b", "b", "b");
  VIOLATED("!(a && c) -> b", "a c b", "b");
  KEPT("!(a && c) -> b", "a b");
  VIOLATED("!(a || c) -> b", "a b", "b");
}

TEST(Conformance, WhatWouldMakeAConditionImpossibleWaits) {
  WAITS("!a -> b", "a");
  MAY("!a -> b", "b a");
  WAITS("!a#2 -> b", "a a");
  MAY("!a#2 -> b", "a b a");
  WAITS("!a@t -> b", "a@t");
  MAY("!a@t -> b", "a@u");
  WAITS("!(a || c) -> b", "c");
  MAY("!(a && c) -> b", "a");
  WAITS("!(a && c) -> b", "a c");
  MAY("!a || c -> b", "a");
  WAITS("!end@t -> b", "end@t");
  WAITS("!start@t -> b", "start@t");
  WAITS("!block@t -> b", "block@t");
  WAITS("!a && c -> b", "c a");
  // Being blocked may change.
  MAY("![a] -> b", "a@t block@t");
  MAY("[a] -> b", "a@t block@t unblock@t");
}

TEST(Conformance, EventsOfAThread) {
  WAITS("a@t -> b", "a@u b");
  MAY("a@t -> b", "a@u a@t b");
  MAY("a -> b", "a@u b");
  WAITS("a -> b@t", "b@t");
  MAY("a -> b@t", "b@u");
  WAITS("a -> b@t", "b@u b@t");
  WAITS("a -> b", "b@u");
}

TEST(Conformance, NamesWithParts) {
  WAITS("queue::put -> queue.take", "queue.take");
  MAY("queue::put -> queue.take", "queue.put queue::take");
}

TEST(Conformance, Occurrences) {
  WAITS("a#3 -> b", "a a b");
  MAY("a#3 -> b", "a a@t a b");
  MAY("a#3 -> b", "a a a a b");
  MAY("a -> b#2", "b");
  WAITS("a -> b#2", "b b");
  MAY("a -> b#2", "b a b");
  WAITS("a@t#2 -> b", "a@t a@u b");
  MAY("a@t#2 -> b", "a@t a@u a@t b");
  MAY("a -> b@t#2", "b@u b@t");
  WAITS("a -> b@t#2", "b@u b@t b@t");
}

TEST(Conformance, EveryOccurrence) {
  WAITS("[a] -> b#*", "b");
  MAY("[a] -> b#*", "a@t block@t b");
  MAY("[a] -> b#*", "a@t block@t b b");
  WAITS("[a] -> b#*", "a@t block@t b unblock@t b");
  VIOLATED("[a] -> b#*", "a@t block@t b unblock@t b", "b");
  MAY("[a] -> b@u#*", "a@t b@t");
  // Of these, the first one is waited for: it is unknown how many will come.
  WAITS("!a -> b#*", "a");
  MAY("!a -> b#*", "b a");
  WAITS("!a -> b#*", "b a b");
}

TEST(Conformance, Blocked) {
  WAITS("[a] -> b", "b");
  WAITS("[a] -> b", "a@t b");
  MAY("[a] -> b", "a@t block@t b");
  WAITS("[a] -> b", "a@t block@t unblock@t b");
  MAY("[a] -> b", "a@t block@t unblock@t block@t b");
  WAITS("[a] -> b", "block@t unblock@t a@t b");
  WAITS("[a] -> b", "a@t block@u b");
  // A thread that was released is no longer blocked, nor is one that has ended.
  WAITS("[a] -> b", "a@t block@t end@t b");
}

TEST(Conformance, BlockedInAThread) {
  for (const char* schedule : {"[a@t] -> b", "[a]@t -> b"}) {
    WAITS(schedule, "a@u block@u b");
    MAY(schedule, "a@t block@t b");
    MAY(schedule, "a@t a@u block@t b");
  }
}

TEST(Conformance, BlockedIsAboutTheLatestOccurrence) {
  WAITS("[a] -> b", "a@t block@t a@u b");
  MAY("[a] -> b", "a@t a@u block@u b");
  MAY("[a#1] -> b", "a@t block@t a@u b");
  WAITS("[a#2] -> b", "a@t block@t b");
  WAITS("[a#2] -> b", "a@t block@t a@u b");
  MAY("[a#2] -> b", "a@t a@u block@u b");
  MAY("[a#2] -> b", "a@t a@u a@t block@u b");
  MAY("[a@t#2] -> b", "a@t a@u a@t block@t b");
}

TEST(Conformance, NotBlocked) {
  MAY("![a] -> b", "b");
  WAITS("![a] -> b", "a@t block@t b");
  MAY("![a] -> b", "a@t block@t unblock@t b");
  WAITS("a && ![a] -> b", "b");
}

TEST(Conformance, BlockedSinceItsStart) {
  WAITS("[start@t] -> b", "start@t b");
  MAY("[start@t] -> b", "start@t block@t b");
  MAY("[block@t] -> b", "block@t b");
  WAITS("[block@t] -> b", "block@t unblock@t b");
  WAITS("[unblock@t] -> b", "block@t b");
  MAY("[unblock@t] -> b", "block@t unblock@t block@t b");
}

TEST(Conformance, StartAndEnd) {
  WAITS("start@t -> b", "b");
  MAY("start@t -> b", "start@t b");
  WAITS("end@t -> b", "start@t b");
  MAY("end@t -> b", "start@t end@t b");
  WAITS("a -> start@t", "start@t");
  MAY("a -> start@t", "start@u");
  MAY("a -> start@t", "a start@t");
  WAITS("a -> end@t", "start@t end@t");
  MAY("a -> end@t", "start@t a end@t");
}

TEST(Conformance, BlockAndUnblockAsEvents) {
  WAITS("block@t -> b", "b");
  MAY("block@t -> b", "block@t b");
  MAY("block@t -> b", "block@t unblock@t b");
  WAITS("block@t#2 -> b", "block@t unblock@t b");
  MAY("block@t#2 -> b", "block@t unblock@t block@t b");
  WAITS("unblock@t -> b", "block@t b");
  MAY("unblock@t -> b", "block@t unblock@t b");
  WAITS("a -> block@t", "block@t");
  MAY("a -> block@t", "block@u");
  MAY("a -> block@t", "a block@t");
  WAITS("a -> unblock@t", "block@t unblock@t");
  MAY("a -> unblock@t", "block@t a unblock@t");
  MAY("a -> block@t#2", "block@t");
  WAITS("a -> block@t#2", "block@t unblock@t block@t");
  WAITS("[a] -> block@t#*", "a@u block@u block@t unblock@t unblock@u block@t");
}

TEST(Conformance, AThreadIsCalledByItsNameOfTheMoment) {
  WAITS("a@t -> b", "a@7 7=t b");
  MAY("a@t -> b", "7=t a@7 b");
  MAY("a -> b", "a@7 b");
  MAY("[a] -> b", "a@7 7=t block@7 b");
  WAITS("[a@t] -> b", "a@7 7=t block@7 b");
  // The start of a thread that was named late.
  WAITS("start@t -> b", "start@7 7=t b");
  MAY("start@t -> b", "start@7 7=t start@7 b");
  WAITS("a -> start@t", "start@7 7=t start@7");
}

TEST(Conformance, OneNameAfterTheOther) {
  const std::string two = "start@t a@t end@t 7=t start@7 ";
  MAY("a@t#2 -> b", two + "a@7 b");
  WAITS("a@t#2 -> b", two + "b");
  MAY("[a@t] -> b", two + "a@7 block@7 b");
  WAITS("[a@t#1] -> b", two + "a@7 block@7 b");
  MAY("c -> a@t#3", two + "a@7");
}

// The schedules of the paper, on its queue with room for one.
TEST(Conformance, TheQueueOfThePaper) {
  const char* take_blocks = "finishedAdd1 -> startingTake1, [startingTake2] -> startingAdd2";
  WAITS(take_blocks, "startingTake1");
  WAITS(take_blocks, "finishedAdd1@adder startingTake1 startingTake2 startingAdd2@adder");
  MAY(take_blocks, "finishedAdd1@adder startingTake1 startingTake2 block@main startingAdd2@adder");
  VIOLATED(take_blocks, "finishedAdd1@adder startingTake1 startingAdd2@adder",
           "startingAdd2@adder");
}

}  // namespace
}  // namespace snag::schedule
