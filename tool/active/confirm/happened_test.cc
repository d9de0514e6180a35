#include "tool/active/confirm/happened.h"

#include <gtest/gtest.h>

namespace snag::active {
namespace {

constexpr std::uint64_t kFirst = 0x1010, kSecond = 0x1020, kBetween = 0x1030, kToo = 0x1040;
constexpr std::uint64_t kMemory = 0x5000, kOther = 0x6000;

struct InterleavingTest : ::testing::Test {
  InterleavingTest() {
    run.modules = binary::ModuleMap({{0x1000, 0x1000, 0x2000, "program"}});
    candidate.kind = Kind::kAtomicity;
    for (const std::uint64_t pc : {kFirst, kSecond, kBetween}) add_side(pc);
  }

  void add_side(std::uint64_t pc, std::vector<std::uint64_t> callers = {}) {
    CodePlace place{run.modules.to_module_pc(pc)};
    for (const std::uint64_t caller : callers) place.push_back(run.modules.to_module_pc(caller));
    candidate.sides.push_back({{place}, ""});
  }

  bool comes_between(std::initializer_list<std::pair<Tid, std::uint64_t>> steps) {
    run.steps.clear();
    for (const auto& [thread, pc] : steps) {
      Step step{};
      step.thread = thread;
      step.pc = pc;
      step.object = kMemory;
      run.steps.push_back(step);
    }
    return came_between(candidate, run);
  }

  session::FailedRun run;
  Candidate candidate;
};

TEST_F(InterleavingTest, OnlyWhatIsInBetweenCounts) {
  EXPECT_TRUE(comes_between({{1, kFirst}, {2, kBetween}, {1, kSecond}}));
  EXPECT_FALSE(comes_between({{2, kBetween}, {1, kFirst}, {1, kSecond}}));
  EXPECT_FALSE(comes_between({{1, kFirst}, {1, kSecond}, {2, kBetween}}));
  EXPECT_FALSE(comes_between({{1, kFirst}, {1, kBetween}, {1, kSecond}}));
  EXPECT_FALSE(comes_between({{1, kFirst}, {2, kBetween}, {3, kSecond}}));
  EXPECT_FALSE(comes_between({{1, kFirst}, {2, kBetween}}));
  EXPECT_FALSE(comes_between({}));
}

TEST_F(InterleavingTest, EachFirstAccessBeginsAnew) {
  EXPECT_FALSE(comes_between({{1, kFirst}, {2, kBetween}, {1, kFirst}, {1, kSecond}}));
  EXPECT_TRUE(comes_between(
      {{1, kFirst}, {1, kSecond}, {2, kFirst}, {1, kFirst}, {2, kBetween}, {1, kSecond}}));
}

TEST_F(InterleavingTest, OtherMemoryDoesNotCount) {
  EXPECT_TRUE(comes_between({{1, kFirst}, {2, kBetween}, {1, kSecond}}));
  run.steps[1].object = kOther;
  EXPECT_FALSE(came_between(candidate, run));
  candidate.any_memory = true;
  EXPECT_TRUE(came_between(candidate, run));
}

TEST_F(InterleavingTest, OfTwoAccessesBothAreInBetween) {
  add_side(kToo);
  candidate.any_memory = true;
  EXPECT_TRUE(comes_between({{1, kFirst}, {2, kBetween}, {2, kToo}, {1, kSecond}}));
  EXPECT_FALSE(comes_between({{2, kBetween}, {1, kFirst}, {2, kToo}, {1, kSecond}}));
  EXPECT_FALSE(comes_between({{1, kFirst}, {2, kBetween}, {1, kSecond}, {2, kToo}}));
  EXPECT_FALSE(comes_between({{1, kFirst}, {2, kBetween}, {3, kToo}, {1, kSecond}}));
}

TEST_F(InterleavingTest, TheSecondAccessMayBeTheEndOfTheRun) {
  run.thread = 1;
  ThreadReport report{};
  report.thread = 1;
  report.pending_pc = kSecond;
  run.threads.push_back(report);
  EXPECT_TRUE(comes_between({{1, kFirst}, {2, kBetween}}));
  EXPECT_FALSE(comes_between({{1, kFirst}}));
}

TEST_F(InterleavingTest, CallersCountWhereTheyAreKnown) {
  candidate.sides.pop_back();
  add_side(kBetween, {0x1100});
  EXPECT_TRUE(comes_between({{1, kFirst}, {2, kBetween}, {1, kSecond}}));
  run.frames.assign(run.steps.size() * kStepFrames, 0);
  run.frames[kStepFrames] = 0x1100;
  EXPECT_TRUE(came_between(candidate, run));
  run.frames[kStepFrames] = 0x1200;
  EXPECT_FALSE(came_between(candidate, run));
}

TEST_F(InterleavingTest, TheAccessesOfARaceAreMadeInAnOrder) {
  Candidate race;
  std::swap(race.sides, candidate.sides);
  race.sides.pop_back();
  comes_between({{1, kFirst}, {2, kSecond}});
  EXPECT_TRUE(made_in_order(race, run, 0));
  EXPECT_FALSE(made_in_order(race, run, 1));
  comes_between({{1, kFirst}, {1, kSecond}});
  EXPECT_FALSE(made_in_order(race, run, 0));
  comes_between({{1, kFirst}});
  EXPECT_FALSE(made_in_order(race, run, 0));
  comes_between({{1, kFirst}, {1, kToo}, {2, kSecond}});
  EXPECT_TRUE(made_in_order(race, run, 0));
  comes_between({{1, kFirst}, {3, kToo}, {2, kSecond}});
  EXPECT_FALSE(made_in_order(race, run, 0));
}

}  // namespace
}  // namespace snag::active
