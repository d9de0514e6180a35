#include "tool/active/predict/predict.h"

#include <gtest/gtest.h>

#include "tool/active/candidates/watched_for_test.h"

namespace snag::active {
namespace {

using testing::other_function;
using testing::some_function;
using testing::Watched;

constexpr std::uint64_t kX = 0x5000, kY = 0x6000;

std::size_t races(Watched& watched) {
  PlaceNames names = watched.names();
  return united(predict_race({watched.observation(), names})).size();
}
std::size_t deadlocks(Watched& watched, std::uint32_t longest = kDefaultCycle) {
  PlaceNames names = watched.names();
  return predict_deadlock({watched.observation(), names, longest}).size();
}

struct TwoThreads : ::testing::Test {
  TwoThreads() {
    watched.create(0, 1);
    watched.create(0, 2);
  }
  Watched watched;
  std::uint32_t here = watched.place(some_function), there = watched.place(other_function);
};

TEST_F(TwoThreads, ARaceIsPredictedWithoutACommonLock) {
  watched.access(1, kX, kWatchWrite, here, watched.locks({1}));
  watched.access(2, kX, kWatchRead, there, watched.locks({2}));
  EXPECT_EQ(races(watched), 1u);
}

TEST_F(TwoThreads, ToGiveABlockBackIsToWriteToAllOfIt) {
  watched.access(1, kX + 40, kWatchRead, here);
  watched.free(2, kX, 64, there);
  EXPECT_EQ(races(watched), 1u);
}

TEST_F(TwoThreads, WhatIsBesideTheBlockHasNothingToDoWithIt) {
  watched.access(1, kX + 64, kWatchWrite, here);
  watched.free(2, kX, 64, there);
  EXPECT_EQ(races(watched), 0u);
}

TEST_F(TwoThreads, ACommonLockExcludesIt) {
  watched.access(1, kX, kWatchWrite, here, watched.locks({1, 3}));
  watched.access(2, kX, kWatchRead, there, watched.locks({3}));
  EXPECT_EQ(races(watched), 0u);
}

TEST_F(TwoThreads, ReadersOfALockDoNotExcludeEachOther) {
  const std::uint32_t shared = watched.list({1 * 2 + 1, 0, watched.place()});
  watched.access(1, kX, kWatchWrite, here, shared);
  watched.access(2, kX, kWatchRead, there, shared);
  EXPECT_EQ(races(watched), 1u);
}

TEST_F(TwoThreads, TwoReadsOrTwoAtomicsAreNoRace) {
  watched.access(1, kX, kWatchRead, here);
  watched.access(2, kX, kWatchRead, there);
  watched.access(1, kY, kWatchWrite | kWatchAtomic, here);
  watched.access(2, kY, kWatchWrite | kWatchAtomic, there);
  EXPECT_EQ(races(watched), 0u);
}

TEST_F(TwoThreads, OtherBytesOfAWordAreOtherMemory) {
  watched.access(1, kX, kWatchWrite, here);
  watched.access(2, kX + 4, kWatchWrite, there);
  EXPECT_EQ(races(watched), 0u);
}

TEST_F(TwoThreads, MemoryThatIsUsedAnewIsOtherMemory) {
  watched.access(1, kX, kWatchWrite, here);
  watched.fresh(kX, 16);
  watched.access(2, kX, kWatchWrite, there);
  EXPECT_EQ(races(watched), 0u);
}

TEST_F(TwoThreads, ALaterRunIsAnotherProcess) {
  watched.access(1, kX, kWatchWrite, here);
  watched.begin_run();
  watched.access(2, kX, kWatchWrite, there);
  EXPECT_EQ(races(watched), 0u);
}

TEST(PredictRaces, StartAndJoinPutThingsIntoAnOrder) {
  Watched watched;
  const std::uint32_t here = watched.place(some_function), there = watched.place(other_function);
  watched.access(0, kX, kWatchWrite, here);
  watched.create(0, 1);
  watched.access(1, kX, kWatchWrite, there);
  watched.join(0, 1);
  watched.access(0, kX, kWatchWrite, here);
  watched.create(0, 2);
  watched.access(2, kX, kWatchWrite, there);
  EXPECT_EQ(races(watched), 0u);
  // After it was made, and not joined.
  watched.access(0, kX, kWatchWrite, here);
  EXPECT_EQ(races(watched), 1u);
}

TEST_F(TwoThreads, LocksInBothOrdersArePredicted) {
  watched.want(1, 2, here, watched.locks({1}));
  watched.want(2, 1, there, watched.locks({2}));
  EXPECT_EQ(deadlocks(watched), 1u);
}

TEST_F(TwoThreads, AGateLockExcludesThem) {
  watched.want(1, 2, here, watched.locks({9, 1}));
  watched.want(2, 1, there, watched.locks({9, 2}));
  EXPECT_EQ(deadlocks(watched), 0u);
}

TEST_F(TwoThreads, OneThreadAloneIsNoDeadlock) {
  watched.want(1, 2, here, watched.locks({1}));
  watched.want(1, 1, there, watched.locks({2}));
  EXPECT_EQ(deadlocks(watched), 0u);
}

TEST(PredictDeadlocks, JoinedBeforeTheOtherBegins) {
  Watched watched;
  watched.create(0, 1);
  watched.want(1, 2, watched.place(), watched.locks({1}));
  watched.join(0, 1);
  watched.create(0, 2);
  watched.want(2, 1, watched.place(), watched.locks({2}));
  EXPECT_EQ(deadlocks(watched), 0u);
}

TEST(PredictDeadlocks, CirclesOfThreeUpToTheBound) {
  Watched watched;
  for (Tid t = 1; t <= 3; ++t) watched.create(0, t);
  watched.want(1, 2, watched.place(), watched.locks({1}));
  watched.want(2, 3, watched.place(), watched.locks({2}));
  watched.want(3, 1, watched.place(), watched.locks({3}));
  EXPECT_EQ(deadlocks(watched, 2), 0u);
  EXPECT_EQ(deadlocks(watched, 3), 1u);
}

std::size_t violations(Watched& watched) {
  PlaceNames names = watched.names();
  return predict_atomicity({watched.observation(), names}).size();
}

// first and second by thread 1, between by thread 2; `kept`: the lock was not given back.
std::size_t violations(std::uint8_t first, std::uint8_t between, std::uint8_t second,
                       bool kept = false) {
  Watched watched;
  watched.create(0, 1);
  watched.create(0, 2);
  const std::uint32_t a = watched.place(), b = watched.place(), c = watched.place(other_function);
  const std::uint32_t locks = watched.locks({1});
  watched.access(1, kX, first, a, locks);
  watched.access(1, kX, second, b, locks, a, kept ? 1 : 0);
  watched.access(2, kX, between, c, locks);
  return violations(watched);
}

TEST(PredictAtomicity, TheFourPatterns) {
  constexpr std::uint8_t kR = kWatchRead, kW = kWatchWrite;
  EXPECT_EQ(violations(kR, kW, kR), 1u);
  EXPECT_EQ(violations(kW, kW, kR), 1u);
  EXPECT_EQ(violations(kW, kR, kW), 1u);
  EXPECT_EQ(violations(kR, kW, kW), 1u);
  // All others have an order one after the other that explains them.
  EXPECT_EQ(violations(kR, kR, kR), 0u);
  EXPECT_EQ(violations(kR, kR, kW), 0u);
  EXPECT_EQ(violations(kW, kR, kR), 0u);
  EXPECT_EQ(violations(kW, kW, kW), 0u);
}

TEST(PredictAtomicity, ALockThatIsKeptKeepsOthersOut) {
  EXPECT_EQ(violations(kWatchRead, kWatchWrite, kWatchWrite, true), 0u);
}

TEST(PredictAtomicity, TwoVariablesThatAreUsedTogether) {
  Watched watched;
  watched.create(0, 1);
  watched.create(0, 2);
  const std::uint32_t w1 = watched.place(), w2 = watched.place();
  const std::uint32_t r1 = watched.place(other_function), r2 = watched.place(other_function);
  watched.access(1, kX, kWatchWrite, w1);
  watched.access(1, kY, kWatchWrite, w2);
  watched.access(2, kX, kWatchRead, r1);
  watched.access(2, kY, kWatchRead, r2);
  // Both of the reader's between the writer's, and the other way round.
  EXPECT_EQ(violations(watched), 2u);
}

}  // namespace
}  // namespace snag::active
