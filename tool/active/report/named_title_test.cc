#include "tool/active/report/named_title.h"

#include <gtest/gtest.h>

namespace snag::active {
namespace {

TEST(NamedTitle, TheMemoryOfARaceHasTheNameThatTheFailureHas) {
  Candidate race;
  race.title = "one thread reads memory at a.cc:5 in f, and another one writes memory at a.cc:6";
  report::FailureView failure;
  failure.kind = FailureKind::kRace;
  EXPECT_EQ(named_title(race, failure), race.title);
  failure.race.emplace().variable = "Queue::count_";
  EXPECT_EQ(
      named_title(race, failure),
      "one thread reads Queue::count_ at a.cc:5 in f, and another one writes Queue::count_ at "
      "a.cc:6");
  failure.race->variable = "Queue::count_, on the stack of T0";
  EXPECT_NE(named_title(race, failure).find("reads Queue::count_ at a.cc:5"), std::string::npos);
  failure.race->variable = "memory on the stack of T0";
  EXPECT_EQ(named_title(race, failure), race.title);
  failure.kind = FailureKind::kHeap;
  EXPECT_EQ(named_title(race, failure), race.title);
}

TEST(NamedTitle, EachHoldsWhatTheOneBeforeWants) {
  Candidate circle;
  circle.kind = Kind::kDeadlock;
  circle.sides = {{{}, "holds a lock (taken at a.cc:1 in f) and wants a lock at a.cc:2 in f"},
                  {{}, "holds a lock (taken at a.cc:20 in g) and wants a lock at a.cc:21 in g"}};
  circle.title = "one thread " + circle.sides[0].text + ", another one " + circle.sides[1].text;
  report::FailureView failure;
  failure.kind = FailureKind::kDeadlock;
  failure.threads.resize(2);
  const auto set = [&](std::size_t i, const char* lock, int line) {
    failure.threads[i].in_cycle = true;
    failure.threads[i].object = lock;
    failure.threads[i].stack.resize(1);
    failure.threads[i].stack[0].file = "/src/a.cc";
    failure.threads[i].stack[0].line = line;
  };
  set(0, "stats_m_", 21);
  set(1, "m_", 2);
  EXPECT_EQ(named_title(circle, failure),
            "one thread holds stats_m_ (taken at a.cc:1 in f) and wants m_ at a.cc:2 in f, another "
            "one holds m_ (taken at a.cc:20 in g) and wants stats_m_ at a.cc:21 in g");
  // A letter says nothing.
  set(1, "A", 2);
  EXPECT_NE(named_title(circle, failure).find("wants a lock at a.cc:2"), std::string::npos);
}

}  // namespace
}  // namespace snag::active
