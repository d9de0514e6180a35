#include "tool/coverage/explain/reference_checker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "protocol/coverage.h"
#include "tool/history/full_trace_reader.h"
#include "tool/history/trace_for_test.h"

namespace snag::coverage {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Key;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

Oracle judge(const history::TraceForTest& trace, std::uint32_t context = 0,
             const std::set<ModulePc>& ignored = {}) {
  return coverage::judge(std::span(trace.events), context, ignored);
}

Oracle::Pair pair(ModulePc first, ModulePc second) { return {{first, {}}, {second, {}}}; }

constexpr std::uint64_t kX = 0x1000, kY = 0x2000, kLock = 0x3000;

// ---- The paper's StringBuffer: append(sb) reads sb.count twice, setLength writes it. ----

constexpr ModulePc kLengthReads = 1, kGetCharsReads = 2, kSetLengthWrites = 3;

TEST(Oracle, StringBufferWithTheBug) {
  history::TraceForTest trace;
  trace.read(1, kLengthReads, kX, 4);
  trace.write(2, kSetLengthWrites, kX, 4);
  trace.read(1, kGetCharsReads, kX, 4);
  const Oracle oracle = judge(trace);
  EXPECT_THAT(oracle.location_pairs, UnorderedElementsAre(pair(kLengthReads, kSetLengthWrites),
                                                          pair(kSetLengthWrites, kGetCharsReads)));
  EXPECT_THAT(oracle.def_use, UnorderedElementsAre(pair(kSetLengthWrites, kGetCharsReads)));
}

// The definition is used in both places although nothing went wrong; the location pair knows.
TEST(Oracle, StringBufferWithoutTheBug) {
  history::TraceForTest trace;
  trace.write(2, kSetLengthWrites, kX, 4);
  trace.read(1, kLengthReads, kX, 4);
  trace.read(1, kGetCharsReads, kX, 4);
  const Oracle oracle = judge(trace);
  EXPECT_THAT(oracle.location_pairs, UnorderedElementsAre(pair(kSetLengthWrites, kLengthReads)));
  EXPECT_THAT(oracle.def_use, UnorderedElementsAre(pair(kSetLengthWrites, kLengthReads),
                                                   pair(kSetLengthWrites, kGetCharsReads)));
  // Of the two reads neither is a definition, and reads alone form no pair.
  EXPECT_THAT(oracle.location_target, UnorderedElementsAre(pair(kLengthReads, kSetLengthWrites),
                                                           pair(kSetLengthWrites, kLengthReads),
                                                           pair(kGetCharsReads, kSetLengthWrites),
                                                           pair(kSetLengthWrites, kGetCharsReads)));
  EXPECT_THAT(oracle.def_use_target, UnorderedElementsAre(pair(kSetLengthWrites, kLengthReads),
                                                          pair(kSetLengthWrites, kGetCharsReads)));
}

// ---- The paper's Account: deposit and withdraw read and then write the balance, under its lock.

TEST(Oracle, AccountNeverHasAReadBeforeTheOthersWrite) {
  constexpr ModulePc kReadDeposit = 1, kWriteDeposit = 2, kReadWithdraw = 3, kWriteWithdraw = 4;
  history::TraceForTest trace;
  for (int round = 0; round < 2; ++round) {
    trace.lock(1, 10, kLock).read(1, kReadDeposit, kX, 8).write(1, kWriteDeposit, kX, 8);
    trace.unlock(1, kLock);
    trace.lock(2, 20, kLock).read(2, kReadWithdraw, kX, 8).write(2, kWriteWithdraw, kX, 8);
    trace.unlock(2, kLock);
  }
  const Oracle oracle = judge(trace);
  EXPECT_THAT(oracle.location_pairs, UnorderedElementsAre(pair(kWriteDeposit, kReadWithdraw),
                                                          pair(kWriteWithdraw, kReadDeposit)));
  // (rd, wr), (wr, rd), (wr, wr), each in both directions.
  EXPECT_EQ(oracle.location_target.size(), 6u);
  EXPECT_TRUE(oracle.location_target.contains(pair(kReadWithdraw, kWriteDeposit)));
  EXPECT_FALSE(oracle.location_target.contains(pair(kReadWithdraw, kReadDeposit)));
}

// ---- What a variable is. ----

TEST(Oracle, NeighboursInAWordAreDifferentVariables) {
  history::TraceForTest trace;
  trace.write(1, 1, kX).write(2, 2, kX + 1).write(1, 3, kX + 2, 2);
  const Oracle oracle = judge(trace);
  EXPECT_THAT(oracle.location_pairs, IsEmpty());
  EXPECT_THAT(oracle.location_target, IsEmpty());
}

TEST(Oracle, APairOfOneByteIsAPair) {
  history::TraceForTest trace;
  trace.write(1, 1, kX, 8).write(2, 2, kX + 2, 2).read(1, 3, kX, 8);
  const Oracle oracle = judge(trace);
  EXPECT_THAT(oracle.location_pairs, UnorderedElementsAre(pair(1, 2), pair(2, 3)));
  EXPECT_THAT(oracle.def_use, UnorderedElementsAre(pair(2, 3)));
}

TEST(Oracle, MemoryThatIsUsedAnewIsAnotherVariable) {
  for (const TraceKind kind :
       {TraceKind::kAllocate, TraceKind::kFree, TraceKind::kStack, TraceKind::kLeave}) {
    history::TraceForTest trace;
    trace.write(1, 1, kX, 8).write(1, 2, kX + 8, 8);
    trace.add(2, kind, 0, kX, 8);
    trace.read(2, 3, kX, 8).read(2, 4, kX + 8, 8);
    const Oracle oracle = judge(trace);
    EXPECT_THAT(oracle.location_pairs, UnorderedElementsAre(pair(2, 4)));
    EXPECT_THAT(oracle.def_use, UnorderedElementsAre(pair(2, 4)));
    EXPECT_THAT(oracle.location_target, UnorderedElementsAre(pair(2, 4), pair(4, 2)));
  }
}

TEST(Oracle, AnAccessInBetweenByWhomeverEndsThePair) {
  history::TraceForTest trace;
  trace.write(1, 1, kX).read(1, 2, kX).read(2, 3, kX).read(3, 4, kX).write(3, 5, kX);
  const Oracle oracle = judge(trace);
  EXPECT_THAT(oracle.location_pairs, IsEmpty());  // reads of different threads, or the same thread
  EXPECT_THAT(oracle.def_use, UnorderedElementsAre(pair(1, 3), pair(1, 4)));
}

// ---- Atomic operations. ----

TEST(Oracle, ModificationsReadAndWriteAndFailedOnesOnlyRead) {
  history::TraceForTest trace;
  trace.add(1, TraceKind::kAtomicWrite, 1, kX, 4);
  trace.add(2, TraceKind::kAtomicModify, 2, kX, 4);
  trace.add(1, TraceKind::kCompareFailed, 3, kX, 4);
  trace.add(2, TraceKind::kAtomicRead, 4, kX, 4);
  const Oracle oracle = judge(trace);
  EXPECT_THAT(oracle.location_pairs, UnorderedElementsAre(pair(1, 2), pair(2, 3)));
  EXPECT_THAT(oracle.def_use, UnorderedElementsAre(pair(1, 2), pair(2, 3)));
  EXPECT_TRUE(oracle.def_use_target.contains(pair(1, 4)));
  EXPECT_FALSE(oracle.def_use_target.contains(pair(3, 2)));
  EXPECT_EQ(oracle.lines.at({2, {}}), kSeenAtomic | kSeenRead | kSeenWrite);
  EXPECT_EQ(oracle.lines.at({3, {}}), kSeenAtomic | kSeenRead);
}

// ---- Ignored instructions, contexts. ----

TEST(Oracle, IgnoredAccessesDoNotExist) {
  history::TraceForTest trace;
  trace.write(1, 1, kX).read(2, 2, kX).write(2, 3, kX);
  EXPECT_THAT(judge(trace, 0, {2}).location_pairs, UnorderedElementsAre(pair(1, 3)));
  EXPECT_THAT(judge(trace, 0, {2}).location_target, UnorderedElementsAre(pair(1, 3), pair(3, 1)));
}

TEST(Oracle, CallersTellLocationsApart) {
  history::TraceForTest trace;
  trace.enter(1, 100, 51).enter(1, 101, 52).write(1, 1, kX).leave(1).leave(1);
  trace.enter(2, 101, 53).write(2, 1, kX).leave(2);
  EXPECT_THAT(judge(trace).location_pairs, UnorderedElementsAre(pair(1, 1)));
  EXPECT_THAT(judge(trace, 1).location_pairs,
              UnorderedElementsAre(Oracle::Pair{{1, {52}}, {1, {53}}}));
  EXPECT_THAT(judge(trace, 2).location_pairs,
              UnorderedElementsAre(Oracle::Pair{{1, {52, 51}}, {1, {53}}}));
}

// ---- Functions. ----

TEST(Oracle, MethodPairsNeedAnActionBeforeTheReturn) {
  history::TraceForTest trace;
  trace.enter(1, 100).leave(1);
  trace.enter(2, 200).read(2, 1, kX);
  trace.enter(1, 101);
  trace.enter(2, 201).leave(2);
  EXPECT_THAT(judge(trace).method_pairs, UnorderedElementsAre(Pair(200, 101), Pair(101, 201)));
  trace.read(2, 1, kX);
  EXPECT_THAT(judge(trace).method_pairs,
              UnorderedElementsAre(Pair(200, 101), Pair(101, 201), Pair(101, 200)));
}

TEST(Oracle, MethodPairsAreOfAllActiveAndTheInnermostActing) {
  history::TraceForTest trace;
  trace.enter(1, 100).enter(1, 101);
  trace.enter(2, 200).enter(2, 201);
  trace.add(1, TraceKind::kSync, 1, kLock);
  EXPECT_THAT(judge(trace).method_pairs,
              UnorderedElementsAre(Pair(100, 200), Pair(101, 200), Pair(100, 201), Pair(101, 201),
                                   Pair(200, 101), Pair(201, 101)));
}

TEST(Oracle, CountsConcurrentMethodsAsCovConDoes) {
  history::TraceForTest trace;
  trace.enter(1, 100).enter(2, 200).enter(2, 100).leave(2).leave(2).enter(2, 50).leave(1);
  trace.enter(2, 300);
  EXPECT_THAT(judge(trace).concurrent_methods,
              UnorderedElementsAre(Pair(Pair(100, 200), 1), Pair(Pair(100, 100), 1),
                                   Pair(Pair(50, 100), 1)));
}

TEST(Oracle, JumpsAndTheEndOfAThreadLeaveFunctions) {
  history::TraceForTest trace;
  trace.enter(1, 100).enter(1, 101).enter(1, 102).add(1, TraceKind::kUnwind, 0, 1);
  trace.enter(2, 200).end(1).enter(2, 201);
  EXPECT_THAT(judge(trace).method_pairs, UnorderedElementsAre(Pair(100, 200)));
}

// ---- Locks. ----

TEST(Oracle, WhoWaitsIsBlockedAndWhoeverHasItMeanwhileBlocks) {
  history::TraceForTest trace;
  trace.lock(1, 10, kLock).want(2, 20, kLock).unlock(1, kLock).lock(3, 30, kLock);
  trace.unlock(3, kLock).acquire(2, 20, kLock).unlock(2, kLock);
  trace.lock(1, 40, kLock);
  EXPECT_THAT(judge(trace).locks,
              UnorderedElementsAre(Pair(history::CodeLocation{10, {}}, kSeenLock | kSeenBlocking),
                                   Pair(history::CodeLocation{20, {}}, kSeenLock | kSeenBlocked),
                                   Pair(history::CodeLocation{30, {}}, kSeenLock | kSeenBlocking),
                                   Pair(history::CodeLocation{40, {}}, kSeenLock)));
}

TEST(Oracle, CallsThatLockAreToldApartByTheirCallers) {
  history::TraceForTest trace;
  trace.enter(1, 100, 50).enter(1, 101, 51).lock(1, 10, kLock).leave(1).leave(1);
  trace.enter(2, 101, 52).want(2, 10, kLock);
  EXPECT_THAT(
      judge(trace).locks,
      UnorderedElementsAre(Pair(history::CodeLocation{10, {51, 50}}, kSeenLock | kSeenBlocking),
                           Pair(history::CodeLocation{10, {52}}, kSeenLock | kSeenBlocked)));
}

TEST(Oracle, ReadersDoNotBlockReaders) {
  history::TraceForTest trace;
  trace.acquire(1, 10, kLock, TraceLock::kRwRead).want(2, 20, kLock, TraceLock::kRwRead);
  trace.acquire(2, 20, kLock, TraceLock::kRwRead).want(3, 30, kLock, TraceLock::kRwWrite);
  EXPECT_THAT(judge(trace).locks,
              UnorderedElementsAre(Pair(history::CodeLocation{10, {}}, kSeenLock | kSeenBlocking),
                                   Pair(history::CodeLocation{20, {}}, kSeenLock | kSeenBlocking),
                                   Pair(history::CodeLocation{30, {}}, kSeenLock | kSeenBlocked)));
}

TEST(Oracle, WhoGivesUpWaitingIsNotBlockedByLaterOwners) {
  history::TraceForTest trace;
  trace.want(2, 20, kLock).add(2, TraceKind::kSync, 20, kLock).lock(1, 10, kLock);
  EXPECT_THAT(judge(trace).locks,
              UnorderedElementsAre(Pair(history::CodeLocation{20, {}}, kSeenLock),
                                   Pair(history::CodeLocation{10, {}}, kSeenLock)));
}

// ---- Lines, several runs. ----

TEST(Oracle, LinesAreWhatWasExecutedByWhomever) {
  history::TraceForTest trace;
  trace.enter(0, 100).read(0, 1, kX).write(0, 2, kX).write(0, 1, kY);
  EXPECT_THAT(judge(trace).lines,
              UnorderedElementsAre(Pair(history::CodeLocation{100, {}}, kSeenEntry),
                                   Pair(history::CodeLocation{1, {}}, kSeenRead | kSeenWrite),
                                   Pair(history::CodeLocation{2, {}}, kSeenWrite)));
}

TEST(Oracle, RunsDoNotMeet) {
  history::TraceForTest trace;
  trace.add(0, TraceKind::kRunBegin, 0, 7).write(1, 1, kX);
  trace.add(0, TraceKind::kRunBegin, 0, 8).read(2, 2, kX);
  const std::vector<history::TracedRun> runs = history::split_runs(trace.events, true);
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_EQ(runs[0].number, 7u);
  EXPECT_FALSE(runs[0].cut);
  EXPECT_EQ(runs[1].number, 8u);
  EXPECT_TRUE(runs[1].cut);
  Oracle both = coverage::judge(runs[0].events, 0, {});
  both.add(coverage::judge(runs[1].events, 0, {}));
  EXPECT_THAT(both.location_pairs, IsEmpty());
  EXPECT_THAT(both.lines,
              ElementsAre(Key(history::CodeLocation{1, {}}), Key(history::CodeLocation{2, {}})));
}

}  // namespace
}  // namespace snag::coverage
