#include "schedule/monitor/monitor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "schedule/language/parser.h"

namespace snag::schedule {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// A test's threads: 0 is main, 1 is adder.
struct Bench {
  Monitor monitor;

  explicit Bench(std::string_view text) : monitor(std::get<Schedule>(parse(text))) {
    monitor.thread_named(0, "main");
    monitor.happened(Action::start(0));
    monitor.thread_named(1, "adder");
  }
  Action event(std::string_view name, int thread) const {
    return Action::event(monitor.mentions(name), thread);
  }
  bool may(std::string_view name, int thread = 0) const {
    return monitor.may_happen(event(name, thread));
  }
  std::optional<Violation> happened(std::string_view name, int thread = 0) {
    return monitor.happened(event(name, thread));
  }
  std::vector<std::string> unmet(const Action& action) const {
    std::vector<std::string> texts;
    for (const Unmet& one : monitor.unmet(action)) texts.push_back(one.text);
    return texts;
  }
};

TEST(Monitor, AnEventWaitsForItsCondition) {
  Bench bench("a -> b");
  EXPECT_TRUE(bench.may("a"));
  EXPECT_FALSE(bench.may("b"));
  EXPECT_THAT(bench.unmet(bench.event("b", 0)), ElementsAre("'a -> b': a has not happened"));
  EXPECT_THAT(bench.monitor.unreached(), ElementsAre("b"));
  bench.happened("a");
  EXPECT_TRUE(bench.may("b"));
  EXPECT_THAT(bench.unmet(bench.event("b", 0)), IsEmpty());
  bench.happened("b");
  EXPECT_THAT(bench.monitor.unreached(), IsEmpty());
}

TEST(Monitor, OnlyMentionedNamesHaveANumber) {
  Bench bench("queue::put -> b");
  EXPECT_EQ(bench.monitor.mentions("c"), -1);
  EXPECT_GE(bench.monitor.mentions("b"), 0);
  EXPECT_EQ(bench.monitor.mentions("queue.put"), bench.monitor.mentions("queue :: put"));
  EXPECT_GE(bench.monitor.mentions("queue::put"), 0);
  const auto before = bench.monitor.position();
  EXPECT_FALSE(bench.happened("c"));
  EXPECT_EQ(bench.monitor.position(), before);
  EXPECT_TRUE(bench.may("c"));
}

TEST(Monitor, BlockedIsTheThreadOfTheLatestOccurrence) {
  Bench bench("[a] -> b");
  bench.monitor.happened(Action::block(1));
  bench.monitor.happened(Action::unblock(1));
  bench.happened("a", 1);
  EXPECT_FALSE(bench.may("b"));
  EXPECT_THAT(bench.unmet(bench.event("b", 0)),
              ElementsAre("'[a] -> b': thread adder is not blocked after a"));
  bench.monitor.happened(Action::block(1));
  EXPECT_TRUE(bench.may("b"));
  bench.happened("a", 0);
  EXPECT_FALSE(bench.may("b"));
}

TEST(Monitor, WhatMustComeLaterIsHeldBack) {
  Bench bench("!a -> b");
  EXPECT_FALSE(bench.may("a"));
  EXPECT_THAT(bench.unmet(bench.event("a", 0)),
              ElementsAre("'!a -> b': b has to happen first, and has not"));
  EXPECT_TRUE(bench.may("b"));
  bench.happened("b");
  EXPECT_TRUE(bench.may("a"));
}

TEST(Monitor, AViolationNamesBothPlaces) {
  Bench bench("a -> b");
  const auto violation = bench.happened("b", 1);
  ASSERT_TRUE(violation);
  EXPECT_EQ(violation->ordering, 0u);
  EXPECT_EQ(bench.monitor.text_of(*violation),
            "'a -> b': b in thread adder (event 2) came when a had not happened");
  bench.happened("a", 0);
  EXPECT_EQ(
      bench.monitor.text_of(*bench.monitor.first_violation()),
      "'a -> b': b in thread adder (event 2) came when a had not happened; the condition held "
      "from a in thread main (event 3) on");
}

TEST(Monitor, AViolationNamesWhatBrokeTheCondition) {
  Bench bench("!a -> b");
  bench.happened("a", 1);
  ASSERT_TRUE(bench.happened("b", 0));
  EXPECT_EQ(
      bench.monitor.text_of(*bench.monitor.first_violation()),
      "'!a -> b': b in thread main (event 3) came when a had happened; the condition had held "
      "until a in thread adder (event 2)");
}

TEST(Monitor, TheFirstViolationStays) {
  Bench bench("a -> b, a -> c");
  EXPECT_EQ(bench.happened("c")->ordering, 1u);
  EXPECT_EQ(bench.happened("b")->ordering, 0u);
  EXPECT_EQ(bench.monitor.first_violation()->ordering, 1u);
  EXPECT_FALSE(bench.happened("b"));
}

TEST(Monitor, AViolationOfSeveralOrderingsIsThatOfTheFirst) {
  Bench bench("a -> c, b -> c");
  EXPECT_EQ(bench.happened("c")->ordering, 0u);
}

TEST(Monitor, SaysWhatIsMissing) {
  Bench bench("a#3 && !b && ([x] || x@adder) -> c");
  bench.happened("a");
  bench.happened("a");
  bench.happened("x", 0);
  EXPECT_THAT(bench.unmet(bench.event("c", 1)),
              ElementsAre("'a#3 && !b && ([x] || x@adder) -> c': a#3 has not happened (a has "
                          "happened 2 times), and thread main is not blocked after x, and x@adder "
                          "has not happened"));
  bench.happened("b");
  ASSERT_EQ(bench.monitor.impossible().size(), 1u);
  EXPECT_THAT(bench.monitor.impossible()[0].text, testing::HasSubstr("b has happened"));
}

TEST(Monitor, EachUnreachedEventIsToldOnce) {
  Bench bench("a -> b, c -> b, a -> b#2, a -> d#*, a -> e@adder");
  EXPECT_THAT(bench.monitor.unreached(), ElementsAre("b", "b#2", "d", "e@adder"));
  bench.happened("a");
  bench.happened("c");
  bench.happened("b");
  bench.happened("d");
  bench.happened("e", 0);
  EXPECT_THAT(bench.monitor.unreached(), ElementsAre("b#2", "e@adder"));
}

TEST(Monitor, KnowsWhetherBlockingMatters) {
  EXPECT_FALSE(Bench("a -> b").monitor.mentions_blocking());
  EXPECT_TRUE(Bench("[a] -> b").monitor.mentions_blocking());
  EXPECT_TRUE(Bench("a -> unblock@t").monitor.mentions_blocking());
  EXPECT_TRUE(Bench("block@t -> a").monitor.mentions_blocking());
}

TEST(Monitor, RemembersTheLatestEvents) {
  Bench bench("a -> b");
  bench.monitor.thread_named(2, "");
  bench.happened("a", 1);
  bench.happened("a", 2);
  bench.monitor.happened(Action::block(1));
  std::vector<std::string> texts;
  for (const Step& step : bench.monitor.history()) texts.push_back(bench.monitor.text_of(step));
  EXPECT_THAT(texts, ElementsAre("start of thread main", "a in thread adder", "a#2 in thread 2",
                                 "block of thread adder"));

  for (std::size_t i = 0; i < Monitor::kMaxHistory; ++i) bench.happened("b", 0);
  const std::vector<Step> steps = bench.monitor.history();
  ASSERT_EQ(steps.size(), Monitor::kMaxHistory);
  EXPECT_EQ(steps.front().position, 5u);
  EXPECT_EQ(steps.back().position, bench.monitor.position());
}

TEST(Monitor, AThreadThatWasRenamedKeepsItsOldNameInTheHistory) {
  Bench bench("a -> b");
  bench.happened("a", 1);
  bench.monitor.thread_named(1, "taker");
  EXPECT_EQ(bench.monitor.text_of(bench.monitor.history().back()), "a in thread adder");
  EXPECT_EQ(bench.monitor.thread_text(1), "taker");
  EXPECT_EQ(bench.monitor.thread_text(7), "7");
}

}  // namespace
}  // namespace snag::schedule
