#include "schedule/language/feasible.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "schedule/language/parser.h"

namespace snag::schedule {
namespace {

using testing::HasSubstr;

// The message, or "" if the schedule can be met.
std::string infeasible(std::string_view text) {
  const auto fault = check_feasible(std::get<Schedule>(parse(text)));
  return fault ? fault->message : "";
}

std::string unknown(std::string_view text, const std::vector<std::string>& marked) {
  const auto fault = check(std::get<Schedule>(parse(text)), marked);
  return fault ? fault->message : "";
}

TEST(Feasible, WhatCanBeMet) {
  for (const std::string_view text : {
           "",
           "a -> b",
           "a -> b, c -> b, b -> d",
           "a || c -> b, b -> a",
           "a || b -> b",
           "!a -> b",
           "!a -> b, c -> a",
           "!a -> b, !b || c -> a",
           "!a -> a",
           "!e -> e@t",
           "e -> e#2",
           "e#1 -> e#2 -> e#3",
           "!e#3 -> e#2",
           "a -> start@t, start@t -> b",
           "start@t -> a@t -> end@t -> b",
           "[a] -> b, b -> unblock@t",
           "[a@t] -> unblock@t",
           "[a@t] -> b@u",
           "block@t -> a, unblock@t -> b",
           "[e] -> e#2",
           "a -> e#*, e#3 -> b",
           "!a -> e#*",
           "e@t#2 -> e@u",
           "e#2 -> e@t",
           "!(a && b) -> b",
           "(a && b) || (c && !d) -> e, e -> a",
       })
    EXPECT_EQ(infeasible(text), "") << text;
}

TEST(Feasible, CyclesAreShown) {
  EXPECT_THAT(infeasible("a -> a"), HasSubstr(": a -> a"));
  EXPECT_THAT(infeasible("a -> b, b -> a"), HasSubstr(": a -> b -> a"));
  EXPECT_THAT(infeasible("x -> a, a -> b, b -> c, c -> a"), HasSubstr(": a -> b -> c -> a"));
  EXPECT_THAT(infeasible("[a] -> b, b && c -> a"), HasSubstr(": a -> b -> a"));
  EXPECT_THAT(infeasible("!a -> b, a -> b"), HasSubstr(": b -> a -> b"));
  EXPECT_THAT(infeasible("!a -> b, !b -> a"), HasSubstr(": b -> a -> b"));
  EXPECT_THAT(infeasible("a && !a -> b"), HasSubstr(": a -> b -> a"));
  EXPECT_THAT(infeasible("!(a || b) -> c, a -> c"), HasSubstr("a comes before c"));
}

TEST(Feasible, OccurrencesAndThreadsHaveAnOrder) {
  EXPECT_THAT(infeasible("e#2 -> e"), HasSubstr(": e#2 -> e -> e#2"));
  EXPECT_THAT(infeasible("e#3 -> e#2"), HasSubstr(": e#3 -> e#2 -> e#3"));
  EXPECT_THAT(infeasible("e -> e#*"), HasSubstr(": e -> e"));
  EXPECT_THAT(infeasible("e@t -> e"), HasSubstr(": e@t -> e -> e@t"));
  EXPECT_THAT(infeasible("!e -> e@t#2, e -> a"), HasSubstr(": e -> e@t#2 -> e"));
  EXPECT_THAT(infeasible("!a -> e#*, a -> e#2"), HasSubstr("e#2 -> a"));
  EXPECT_THAT(infeasible("a@t -> start@t"), HasSubstr(": a@t -> start@t -> a@t"));
  EXPECT_THAT(infeasible("end@t -> a@t"), HasSubstr(": end@t -> a@t -> end@t"));
  EXPECT_THAT(infeasible("end@t -> start@t"), HasSubstr(": end@t -> start@t -> end@t"));
  EXPECT_THAT(infeasible("end@t -> block@t"), HasSubstr(": end@t -> block@t -> end@t"));
  EXPECT_THAT(infeasible("!start@t -> a, a@t -> a"), HasSubstr("start@t -> a@t"));
}

TEST(Feasible, BlockedThreadsDoNothing) {
  EXPECT_THAT(infeasible("[a@t] -> b@t"), HasSubstr("while thread t is blocked"));
  EXPECT_THAT(infeasible("[start@t] -> end@t"), HasSubstr("while thread t is blocked"));
  EXPECT_THAT(infeasible("[a@t] || [b@t] -> c@t"), HasSubstr("c@t can never happen"));
  EXPECT_EQ(infeasible("[a@t] || [b@u] -> c@t"), "");
  EXPECT_EQ(infeasible("![a@t] -> c@t"), "");
  EXPECT_THAT(infeasible("[a@t] && end@t -> b"), HasSubstr("after its end"));
  EXPECT_THAT(infeasible("[a] && ![a] -> b"), HasSubstr("at the same moment"));
}

TEST(Feasible, AlternativesThatAllWaitForTheEvent) {
  EXPECT_EQ(infeasible("a || c -> b, b -> a, b -> c"),
            "b can never happen:\n  b waits for a || c\n  a waits for b\n  c waits for b");
  EXPECT_EQ(
      infeasible("b#2 || b#3 -> b"),
      "b can never happen:\n  b waits for b#2 || b#3\n  b#2 waits for b\n  b#3 waits for b#2");
}

TEST(Feasible, TheMainThreadRunsAllTheTime) {
  EXPECT_THAT(infeasible("a -> start@main"), HasSubstr("runs already"));
  EXPECT_THAT(infeasible("end@main -> a"), HasSubstr("as long as the test runs"));
  EXPECT_EQ(infeasible("end@main || b -> a"), "");
  EXPECT_EQ(infeasible("start@main -> a"), "");
}

TEST(UnknownNames, AreTold) {
  const std::vector<std::string> marked = {"startingTake", "finishedAdd", "queue::put"};
  EXPECT_EQ(unknown("startingTake -> finishedAdd, finishedAdd -> queue.put", marked), "");
  EXPECT_THAT(unknown("startngTake -> finishedAdd", marked), HasSubstr("mean startingTake?"));
  EXPECT_THAT(unknown("finishedadd -> startingTake", marked), HasSubstr("mean finishedAdd?"));
  EXPECT_THAT(unknown("[put] -> startingTake", marked), HasSubstr("mean queue.put?"));
  EXPECT_THAT(unknown("!xyz -> startingTake", marked),
              HasSubstr("marked are finishedAdd, queue.put and startingTake"));
  EXPECT_THAT(unknown("start -> startingTake", marked), HasSubstr("write start@thread"));
  EXPECT_THAT(unknown("a -> b", {}), HasSubstr("put SNAG_EVENT(a)"));
  EXPECT_EQ(unknown("start@t -> end@u", {}), "");
}

}  // namespace
}  // namespace snag::schedule
