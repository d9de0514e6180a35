#include "tool/coverage/explain/proposals.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tool/history/trace_for_test.h"

namespace snag::coverage {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

constexpr std::uint64_t kX = 0x1000, kLock = 0x3000, kOther = 0x4000;

// The numbers of locations are their addresses.
history::HistoryOptions by_pc() {
  return {0, {}, [](const history::CodeLocation& location) {
            return static_cast<std::uint32_t>(location.pc);
          }};
}

std::map<std::pair<std::uint32_t, std::uint32_t>, PairFacts> analyse(
    const std::vector<history::TraceForTest>& traces) {
  PairAnalysis analysis(by_pc());
  std::uint64_t number = 0;
  for (const history::TraceForTest& trace : traces) analysis.add({number++, trace.events, false});
  std::map<std::pair<std::uint32_t, std::uint32_t>, PairFacts> result;
  for (const PairFacts& facts : analysis.uncovered()) result[{facts.first, facts.second}] = facts;
  return result;
}

std::string reason_of(const PairFacts& facts) {
  return reason(facts,
                [](const history::CodeLocation& at) { return fmt::format("a.cc:{}", at.pc); });
}

// ---- The paper's Account. ----

constexpr ModulePc kReadDeposit = 1, kWriteDeposit = 2, kReadWithdraw = 3, kWriteWithdraw = 4;

void deposit(history::TraceForTest& trace, Tid thread) {
  trace.lock(thread, 10, kLock).read(thread, kReadDeposit, kX, 8);
  trace.write(thread, kWriteDeposit, kX, 8).unlock(thread, kLock);
}
void withdraw(history::TraceForTest& trace, Tid thread) {
  trace.lock(thread, 20, kLock).read(thread, kReadWithdraw, kX, 8);
  trace.write(thread, kWriteWithdraw, kX, 8).unlock(thread, kLock);
}

TEST(Proposals, AccountReadsAreNeverFollowedByTheOther) {
  history::TraceForTest trace;
  deposit(trace, 1);
  withdraw(trace, 2);
  deposit(trace, 1);
  auto pairs = analyse({trace, trace});
  // Covered: (wr dp, rd wd) and back; of the target that leaves four.
  ASSERT_THAT(pairs, SizeIs(4));
  for (const auto& [pair, facts] : pairs) {
    EXPECT_TRUE(facts.excluded);
    EXPECT_TRUE(facts.always_common_lock);
  }
  const PairFacts& facts = pairs.at({kReadWithdraw, kWriteDeposit});
  EXPECT_EQ(facts.always, kFirstNotLast | kSecondNotFirst);
  EXPECT_EQ(facts.runs, 2u);
  EXPECT_FALSE(facts.first_writes);
  EXPECT_TRUE(facts.second_writes);
  ASSERT_THAT(facts.common_locks, SizeIs(1));
  EXPECT_EQ(facts.common_locks[0].address, kLock);
  EXPECT_EQ(facts.common_locks[0].first_taken.pc, 20u);
  EXPECT_EQ(facts.common_locks[0].second_taken.pc, 10u);
  EXPECT_EQ(reason_of(facts),
            "both are done under one lock (taken at a.cc:20 and at a.cc:10), and after the first "
            "the same critical section accesses the variable again; so it was in all of 2 runs");
  // The nearest: the write that follows the read, and the read before the other write.
  ASSERT_TRUE(facts.nearest);
  EXPECT_EQ(facts.nearest->between, 2u);
  ASSERT_THAT(facts.nearest->accesses, SizeIs(2));
  EXPECT_EQ(facts.nearest->accesses[0].location, kWriteWithdraw);
  EXPECT_EQ(facts.nearest->accesses[0].thread, 2);
  EXPECT_EQ(facts.nearest->accesses[1].location, kReadDeposit);
  EXPECT_EQ(facts.nearest->first.thread, 2);
  EXPECT_EQ(facts.nearest->second.thread, 1);
}

TEST(Proposals, AWriteThatEndsItsSectionCanBeFollowed) {
  // Both write last in their sections, but read first: only "the second is not first" helps.
  history::TraceForTest trace;
  deposit(trace, 1);
  withdraw(trace, 2);
  auto pairs = analyse({trace});
  const PairFacts& facts = pairs.at({kWriteDeposit, kWriteWithdraw});
  EXPECT_EQ(facts.always, kSecondNotFirst);
  EXPECT_THAT(reason_of(facts), HasSubstr("before the second the same critical section has"));
}

TEST(Proposals, WithoutACommonLockNothingIsShown) {
  history::TraceForTest trace;
  trace.lock(1, 10, kLock).read(1, 1, kX).write(1, 2, kX).unlock(1, kLock);
  trace.lock(2, 20, kOther).read(2, 3, kX).write(2, 4, kX).unlock(2, kOther);
  auto pairs = analyse({trace});
  const PairFacts& facts = pairs.at({1, 4});
  EXPECT_FALSE(facts.excluded);
  EXPECT_FALSE(facts.always_common_lock);
  EXPECT_THAT(facts.first_locks, ElementsAre(history::CodeLocation{10, {}}));
  EXPECT_THAT(facts.second_locks, ElementsAre(history::CodeLocation{20, {}}));
  EXPECT_EQ(reason_of(facts), "");
}

TEST(Proposals, OneExceptionIsEnough) {
  history::TraceForTest usual, exception;
  deposit(usual, 1);
  withdraw(usual, 2);
  // A withdrawal that finds too little reads, and that is all.
  exception.lock(2, 20, kLock).read(2, kReadWithdraw, kX, 8).unlock(2, kLock);
  exception.lock(3, 20, kLock).read(3, kReadWithdraw, kX, 8).unlock(3, kLock);
  deposit(exception, 1);
  auto pairs = analyse({usual, exception});
  const PairFacts& facts = pairs.at({kReadWithdraw, kWriteDeposit});
  EXPECT_EQ(facts.always, kSecondNotFirst);  // the deposit reads first, still
}

TEST(Proposals, ASectionEndsWhereTheLockIsReleasedInBetween) {
  // As a condition variable does.
  history::TraceForTest trace;
  trace.lock(1, 10, kLock).read(1, 1, kX).unlock(1, kLock);
  trace.lock(1, 11, kLock).read(1, 2, kX).unlock(1, kLock);
  trace.lock(2, 20, kLock).read(2, 3, kX).write(2, 4, kX).unlock(2, kLock);
  auto pairs = analyse({trace});
  EXPECT_EQ(pairs.at({1, 4}).always, kSecondNotFirst);
}

TEST(Proposals, ReadersOfALockDoNotExcludeEachOther) {
  history::TraceForTest trace;
  trace.acquire(1, 10, kLock, TraceLock::kRwRead).read(1, 1, kX).read(1, 2, kX).unlock(1, kLock);
  trace.acquire(2, 20, kLock, TraceLock::kRwRead).write(2, 3, kX).unlock(2, kLock);
  EXPECT_FALSE(analyse({trace}).at({1, 3}).excluded);
  history::TraceForTest exclusive;
  exclusive.acquire(1, 10, kLock, TraceLock::kRwRead).read(1, 1, kX).read(1, 2, kX);
  exclusive.unlock(1, kLock).acquire(2, 20, kLock, TraceLock::kRwWrite).write(2, 3, kX);
  EXPECT_EQ(analyse({exclusive}).at({1, 3}).always, kFirstNotLast);
}

// ---- Starts and joins. ----

TEST(Proposals, WhatComesBeforeTheStartOfAThreadCannotComeAfterIt) {
  history::TraceForTest trace;
  trace.write(0, 1, kX).create(0, 1).read(1, 2, kX).end(1).join(0, 1).write(0, 3, kX);
  auto pairs = analyse({trace});
  // Covered: (1, 2), (2, 3).
  ASSERT_THAT(pairs, SizeIs(2));
  EXPECT_EQ(pairs.at({2, 1}).always, kOrdered);
  EXPECT_EQ(pairs.at({3, 2}).always, kOrdered);
  EXPECT_FALSE(pairs.at({2, 1}).nearest);
  EXPECT_EQ(reason_of(pairs.at({2, 1})),
            "the second is over before the first can begin, by the start or the join of a thread; "
            "so it was in one run");
}

TEST(Proposals, OrdersGoOnThroughThirdThreads) {
  history::TraceForTest trace;
  trace.create(0, 1).write(1, 1, kX).create(1, 2).read(2, 9, kX).end(2).join(1, 2).end(1);
  trace.join(0, 1).create(0, 3).write(3, 3, kX);
  auto pairs = analyse({trace});
  EXPECT_EQ(pairs.at({3, 1}).always, kOrdered);
  EXPECT_EQ(pairs.at({3, 9}).always, kOrdered);
  // In this order nothing speaks against it.
  EXPECT_FALSE(pairs.at({1, 3}).excluded);
  EXPECT_EQ(pairs.at({1, 3}).nearest->between, 1u);
}

TEST(Proposals, WhatOneDoesAfterTheStartOfTheOtherIsNotOrdered) {
  history::TraceForTest trace;
  trace.create(0, 1).write(0, 1, kX).read(0, 9, kX).read(1, 2, kX);
  EXPECT_FALSE(analyse({trace}).at({2, 1}).excluded);
}

TEST(Proposals, ReasonsMayTakeTurns) {
  history::TraceForTest trace;
  trace.write(0, 4, kX).create(0, 1);
  deposit(trace, 1);
  trace.lock(0, 20, kLock).read(0, 3, kX, 8).write(0, 4, kX, 8).unlock(0, kLock);
  auto pairs = analyse({trace});
  const PairFacts& facts = pairs.at({kReadDeposit, 4});
  EXPECT_EQ(facts.always, 0);
  EXPECT_TRUE(facts.excluded);
  EXPECT_THAT(reason_of(facts), HasSubstr(", or the second is over before"));
}

// ---- The nearest schedule. ----

TEST(Proposals, TheNearestScheduleHasTheFewestAccessesBetween) {
  history::TraceForTest far, near;
  far.write(1, 1, kX).read(2, 5, kX).read(3, 5, kX).read(2, 2, kX);
  near.read(3, 7, kX).write(1, 1, kX).add(3, TraceKind::kSync, 9).read(3, 5, kX).read(2, 2, kX);
  auto pairs = analyse({far, near, far});
  const NearestSchedule& nearest = *pairs.at({1, 2}).nearest;
  EXPECT_EQ(nearest.run, 1u);
  EXPECT_EQ(nearest.between, 1u);
  EXPECT_EQ(nearest.address, kX);
  EXPECT_EQ(nearest.accesses[0].location, 5u);
  EXPECT_EQ(nearest.accesses[0].thread, 3);
}

TEST(Proposals, NumbersItsLocationsIfNobodyElseDoes) {
  history::TraceForTest trace;
  trace.write(1, 11, kX).read(2, 22, kX);
  PairAnalysis analysis(history::HistoryOptions{});
  analysis.add({0, trace.events, false});
  ASSERT_THAT(analysis.uncovered(), SizeIs(1));
  const PairFacts facts = analysis.uncovered()[0];
  EXPECT_EQ(analysis.locations()[facts.first].pc, 22u);
  EXPECT_EQ(analysis.locations()[facts.second].pc, 11u);
  EXPECT_TRUE(analysis.is_covered(facts.second, facts.first));
}

}  // namespace
}  // namespace snag::coverage
