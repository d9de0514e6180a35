#include "tool/active/confirm/confirm_kinds.h"

#include <gtest/gtest.h>

namespace snag::active {
namespace {

constexpr std::uint64_t kOne = 0x1010, kTwo = 0x1020, kThree = 0x1030;

// A candidate with a side for each of these program counters, and a run of the same program.
struct KindsTest : ::testing::Test {
  KindsTest() { run.modules = binary::ModuleMap({{0x1000, 0x1000, 0x2000, "program"}}); }

  Candidate candidate(Kind kind, std::initializer_list<std::uint64_t> pcs) {
    Candidate result;
    result.kind = kind;
    for (const std::uint64_t pc : pcs)
      result.sides.push_back({{{run.modules.to_module_pc(pc)}}, "is here"});
    return result;
  }

  void set_race(std::uint64_t first, std::uint64_t second) {
    run.kind = FailureKind::kRace;
    run.race.emplace();
    run.race->first.stack[0] = first;
    run.race->first.depth = 1;
    run.race->second.stack[0] = second;
    run.race->second.depth = 1;
  }

  void add_thread(std::uint64_t pc, bool in_cycle) {
    ThreadReport thread{};
    thread.thread = static_cast<Tid>(run.threads.size());
    thread.pending_pc = pc;
    thread.in_cycle = in_cycle ? 1 : 0;
    run.threads.push_back(thread);
  }

  bool happened(const Candidate& it) { return happened_in(it, run, symbolizer); }

  session::FailedRun run;
  binary::Symbolizer symbolizer;
};

TEST_F(KindsTest, ARaceHasBothPlacesInEitherOrder) {
  const Candidate race = candidate(Kind::kRace, {kOne, kTwo});
  set_race(kOne, kTwo);
  EXPECT_TRUE(happened(race));
  set_race(kTwo, kOne);
  EXPECT_TRUE(happened(race));
  set_race(kOne, kOne);
  EXPECT_FALSE(happened(race));
  set_race(kOne, kThree);
  EXPECT_FALSE(happened(race));
}

TEST_F(KindsTest, ARaceOnAnotherVariableIsAnotherRace) {
  Candidate race = candidate(Kind::kRace, {kOne, kTwo});
  race.variable = "left";
  set_race(kOne, kTwo);  // memory without a name
  EXPECT_FALSE(happened(race));
}

TEST_F(KindsTest, ARaceShowsItsHarmWhereverTheFreedMemoryIsUsed) {
  const Candidate race = candidate(Kind::kRace, {kOne, kTwo});
  run.kind = FailureKind::kHeap;
  run.heap.emplace();
  run.heap->error = HeapError::kUseAfterFree;
  run.heap->access.stack[0] = kThree;
  run.heap->access.depth = 1;
  EXPECT_FALSE(uses_what_is_freed(race, run)) << "it is not known who freed it";
  run.heap->memory.free_stack[0] = kThree;
  run.heap->memory.free_depth = 1;
  EXPECT_FALSE(uses_what_is_freed(race, run)) << "freed somewhere else";
  run.heap->memory.free_stack[0] = kTwo;
  EXPECT_TRUE(uses_what_is_freed(race, run));
  EXPECT_FALSE(happened(race)) << "the access is not that of the race";
  run.heap->error = HeapError::kOutOfBounds;
  EXPECT_FALSE(uses_what_is_freed(race, run));
}

// The side that frees the memory came first: what would be a race is a use after free.
TEST_F(KindsTest, AUseAfterFreeAtItsPlacesIsTheRace) {
  const Candidate race = candidate(Kind::kRace, {kOne, kTwo});
  run.kind = FailureKind::kHeap;
  EXPECT_FALSE(happened(race));
  run.heap.emplace();
  run.heap->access.stack[0] = kOne;
  run.heap->access.depth = 1;
  EXPECT_FALSE(happened(race));  // never freed
  run.heap->memory.free_stack[0] = kThree;
  run.heap->memory.free_stack[1] = kTwo;
  run.heap->memory.free_depth = 1;
  EXPECT_FALSE(happened(race));
  run.heap->memory.free_depth = 2;
  EXPECT_TRUE(happened(race));
}

TEST_F(KindsTest, ADeadlockHasAThreadOfTheCycleAtEachSide) {
  const Candidate deadlock = candidate(Kind::kDeadlock, {kOne, kTwo});
  run.kind = FailureKind::kDeadlock;
  add_thread(kOne, true);
  EXPECT_FALSE(happened(deadlock));
  add_thread(kTwo, false);
  EXPECT_FALSE(happened(deadlock));
  add_thread(kTwo, true);
  EXPECT_TRUE(happened(deadlock));
  run.kind = FailureKind::kHang;
  EXPECT_FALSE(happened(deadlock));
}

TEST_F(KindsTest, AtomicityNeedsAWrongResult) {
  const Candidate atomicity = candidate(Kind::kAtomicity, {kOne, kTwo, kThree});
  for (const auto& [thread, pc] : {std::pair{1, kOne}, {2, kThree}, {1, kTwo}}) {
    Step step{};
    step.thread = static_cast<Tid>(thread);
    step.pc = pc;
    step.object = 0x5000;
    run.steps.push_back(step);
  }
  for (const FailureKind wrong : {FailureKind::kAssert, FailureKind::kSignal, FailureKind::kExit,
                                  FailureKind::kHeap, FailureKind::kException}) {
    run.kind = wrong;
    EXPECT_TRUE(happened(atomicity)) << static_cast<int>(wrong);
  }
  for (const FailureKind other :
       {FailureKind::kDeadlock, FailureKind::kLostWakeup, FailureKind::kLivelock,
        FailureKind::kHang, FailureKind::kLockMisuse, FailureKind::kRace, FailureKind::kInternal}) {
    run.kind = other;
    EXPECT_FALSE(happened(atomicity)) << static_cast<int>(other);
  }
  run.kind = FailureKind::kAssert;
  std::swap(run.steps[1], run.steps[2]);
  EXPECT_FALSE(happened(atomicity));
}

TEST_F(KindsTest, ACountedCheckIsFoundInTheOutput) {
  Candidate check = candidate(Kind::kAssertion, {kOne, kTwo});
  check.location = "a.cc:12";
  run.output = "/src/a.cc:12: Failure\n";
  for (const FailureKind kind : {FailureKind::kExit, FailureKind::kReported}) {
    run.kind = kind;
    check.is_counted = true;
    EXPECT_TRUE(happened(check));
    check.is_counted = false;
    EXPECT_FALSE(happened(check));
  }
  check.is_counted = true;
  run.kind = FailureKind::kSignal;
  EXPECT_FALSE(happened(check));
  run.kind = FailureKind::kExit;
  run.output = "/src/a.cc:120: Failure\n";
  EXPECT_FALSE(happened(check));
}

TEST_F(KindsTest, AFailureWithoutAPlaceIsNoCheck) {
  Candidate check = candidate(Kind::kAssertion, {kOne, kTwo});
  check.location = "a.cc:12";
  run.kind = FailureKind::kAssert;
  run.thread = 1;
  EXPECT_FALSE(happened(check));
}

TEST(IsOfProgram, LeavesOutRacesAndSnagsOwnErrors) {
  for (const FailureKind kind :
       {FailureKind::kRace, FailureKind::kInternal, FailureKind::kUnsupported})
    EXPECT_FALSE(is_of_program(kind)) << static_cast<int>(kind);
  for (const FailureKind kind :
       {FailureKind::kAssert, FailureKind::kDeadlock, FailureKind::kHeap, FailureKind::kExit})
    EXPECT_TRUE(is_of_program(kind)) << static_cast<int>(kind);
}

TEST_F(KindsTest, SidesThatNoThreadReachedComeFirst) {
  for (const KindRow& row : kKindRows) {
    Candidate it = candidate(row.kind, {kOne, kTwo});
    it.sides[0].text = "reads x";
    it.sides[1].text = "writes x";
    EXPECT_EQ(closest(it, {}, {}), "no thread reached the place where it reads x") << row.name;
    EXPECT_EQ(closest(it, {1, 0, 0, 0}, {}), "no thread reached the place where it writes x")
        << row.name;
    EXPECT_NE(closest(it, {3, 0, 0, 0}, {}), "") << row.name;
    EXPECT_EQ(closest(it, {3, 0, 0, 0}, {0, "it diverged"}),
              "it happened, but did not come again: it diverged")
        << row.name;
  }
}

TEST_F(KindsTest, ClosestToADeadlock) {
  const Candidate it = candidate(Kind::kDeadlock, {kOne, kTwo, kThree});
  EXPECT_EQ(closest(it, {7, 2, 0, 0}, {}), "at most 2 of 3 threads stood there at the same time");
  EXPECT_EQ(closest(it, {7, 3, 0, 0}, {}), "all threads stood there, but got their locks");
}

TEST_F(KindsTest, ClosestToAViolationOfAtomicity) {
  const Candidate it = candidate(Kind::kAtomicity, {kOne, kTwo, kThree});
  EXPECT_EQ(closest(it, {7, 0, 0, 0}, {}),
            "no thread made the first access while the other thread was near");
  EXPECT_EQ(closest(it, {7, 1, 0, 0}, {}), "the other thread never came in between");
  EXPECT_EQ(closest(it, {7, 2, 0, 0}, {}),
            "the other thread came in between, but the second access did not follow");
}

TEST_F(KindsTest, ClosestToAFailingCheck) {
  const Candidate it = candidate(Kind::kAssertion, {kOne, kTwo});
  EXPECT_EQ(closest(it, {3, 0, 0, 0}, {}), "no write came between its reads");
  EXPECT_EQ(closest(it, {3, 0, 1, 0}, {}), "in 1 run it was checked after chosen writes, and held");
}

}  // namespace
}  // namespace snag::active
