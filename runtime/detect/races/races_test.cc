#include "runtime/detect/races/races.h"

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "runtime/detect/races/benign_ranges.h"
#include "runtime/detect/races/histories_for_test.h"

namespace snag::rt {
namespace {

// ---- A table of small histories. ----

struct Case {
  const char* name;
  History behind_creation;  // of threads 1 to 3 by thread 0, which are events 0 to 2
  // The accesses that race, by their numbers in behind_creation; -1: none do.
  int first = -1, second = -1;
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

class KnownHistory : public testing::TestWithParam<Case> {};

TEST_P(KnownHistory, IsJudged) {
  const Case& c = GetParam();
  for (const bool with_records : {false, true}) {
    SCOPED_TRACE(with_records ? "with records of all accesses" : "with places alone");
    Detector detector(with_records);
    History history = {create(0, 1), create(0, 2), create(0, 3)};
    const std::size_t behind = history.size();
    history.insert(history.end(), c.behind_creation.begin(), c.behind_creation.end());
    const std::uint64_t code = Detector::fresh_code(history.size());
    std::vector<std::uint64_t> pcs;
    for (std::size_t i = 0; i < history.size(); ++i) pcs.push_back(code + i);
    const auto found = detector.run(history, pcs);
    ASSERT_EQ(found.has_value(), c.second >= 0);
    if (!found) continue;
    EXPECT_EQ(found->second, behind + static_cast<std::size_t>(c.second));
    EXPECT_EQ(found->first_pc, pcs[behind + static_cast<std::size_t>(c.first)]);
    const Event& first = c.behind_creation[static_cast<std::size_t>(c.first)];
    const Event& second = c.behind_creation[static_cast<std::size_t>(c.second)];
    EXPECT_EQ(found->first_report.thread, first.thread);
    EXPECT_EQ(found->first_report.write, is_write(first.what));
    EXPECT_EQ(found->first_report.atomic, is_atomic(first.what));
    EXPECT_EQ(found->second_report.thread, second.thread);
    EXPECT_EQ(found->second_report.write, is_write(second.what));
    EXPECT_EQ(found->second_report.atomic, is_atomic(second.what));
    EXPECT_EQ(found->second_report.is_free, is_free(second.what));
    EXPECT_EQ(found->second_report.stack[0], pcs[found->second]);
    EXPECT_EQ(found->second_report.address,
              reinterpret_cast<std::uint64_t>(memory_bytes + second.at));
  }
}

const Case kAccesses[] = {
    {"TwoReads", {read(1), read(2)}},
    {"WriteAndRead", {write(1), read(2)}, 0, 1},
    {"ReadAndWrite", {read(1), write(2)}, 0, 1},
    {"TwoWrites", {write(1), write(2)}, 0, 1},
    {"OneThreadAlone", {write(1), read(1), write(1)}},
    {"OldReaderIsNotForgottenForANewOne", {read(1), read(2), write(2)}, 0, 2},
    {"OneOfThreeReaders", {read(1), read(2), read(3), join(3, 1), join(3, 2), write(3)}},
    {"OneOfThreeReadersIsNotJoined", {read(1), read(2), read(3), join(3, 1), write(3)}, 1, 4},
    {"LastOfThreeReadersIsNotJoined",
     {read(0), read(1), read(2), join(3, 1), on(0, What::kPost), on(3, What::kWait), write(3)},
     2,
     6},
    {"AByteThatIsReadAgainDoesNotStandForTheOthersOfItsWord",
     {read(1), read(2), on(1, What::kPost), on(2, What::kPost), read(1, 0, 1), on(3, What::kWait),
      write(3, 3, 1)}},
    {"AByteThatIsReadAgainIsNotNamedForTheOthersOfItsWord",
     {read(1), read(2), on(2, What::kPost), read(1, 0, 1), on(3, What::kWait), write(3, 3, 1)},
     0,
     5},
    {"ReadsDoNotHideTheWrite", {write(1), join(0, 1), read(0), read(2)}, 0, 3},
    {"FirstOfTwoInOneEpochIsNamed", {write(1), write(1), write(2)}, 0, 2},
};
INSTANTIATE_TEST_SUITE_P(Accesses, KnownHistory, testing::ValuesIn(kAccesses),
                         [](const auto& info) { return info.param.name; });

const Case kBytes[] = {
    {"NeighbouringBytes", {write(1, 0, 1), write(2, 1, 1), write(1, 2, 1), write(2, 3, 1)}},
    {"NeighbouringHalves", {write(1, 0, 2), write(2, 2, 2)}},
    {"NeighbouringWords", {write(1, 0, 4), write(2, 4, 4), write(1, 8, 8), write(2, 16, 16)}},
    {"FirstByteOfAWord", {write(1, 0, 4), read(2, 0, 1)}, 0, 1},
    {"LastByteOfAWord", {write(1, 0, 4), read(2, 3, 1)}, 0, 1},
    {"WordOverAByte", {write(1, 2, 1), read(2, 0, 4)}, 0, 1},
    {"SecondHalfOfEight", {write(1, 4, 4), read(2, 0, 8)}, 0, 1},
    {"EightOverTheSecondHalf", {write(1, 0, 8), write(2, 4, 4)}, 0, 1},
    {"LastByteOfSixteen", {write(1, 0, 16), write(2, 15, 1)}, 0, 1},
    {"BehindSixteen", {write(1, 0, 16), write(2, 16, 1)}},
    {"OddPlaces", {write(1, 1, 3), write(2, 4, 1), write(2, 0, 1)}},
    {"OddPlacesMeet", {write(1, 1, 3), write(2, 3, 4)}, 0, 1},
    {"Unaligned", {write(1, 3, 8), write(2, 10, 1)}, 0, 1},
    {"UnalignedEnds", {write(1, 3, 8), write(2, 11, 1), write(2, 2, 1)}},
    {"TheByteThatTheThirdAccessSharesWithTheFirst",
     {write(1, 0, 1), write(1, 1, 1), read(2, 1, 1)},
     1,
     2},
    {"AWholeWriteUnitesTheBytes",
     {write(1, 0, 1), write(2, 1, 1), join(0, 1), join(0, 2), write(0, 0, 4), read(3, 1, 1)},
     4,
     5},
};
INSTANTIATE_TEST_SUITE_P(Bytes, KnownHistory, testing::ValuesIn(kBytes),
                         [](const auto& info) { return info.param.name; });

const Case kOrders[] = {
    {"Join", {write(1), join(2, 1), write(2)}},
    {"JoinOfAnother", {write(1), join(2, 3), write(2)}, 0, 2},
    {"BeforeCreation", {write(1), join(0, 1), create(0, 4), write(4)}},
    {"AfterCreation", {create(0, 4), write(0), write(4)}, 1, 2},
    {"Lock", {on(1, What::kLock), write(1), on(1, What::kUnlock), on(2, What::kLock), write(2)}},
    {"LockBeforeTheAccess",
     {on(1, What::kLock), on(1, What::kUnlock), write(1), on(2, What::kLock), write(2)},
     2,
     4},
    {"DifferentLocks",
     {on(1, What::kLock, 0), write(1), on(1, What::kUnlock, 0), on(2, What::kLock, 1), write(2)},
     1,
     4},
    {"LockByWayOfAThird",
     {on(1, What::kLock, 0), write(1), on(1, What::kUnlock, 0), on(3, What::kLock, 0),
      on(3, What::kUnlock, 0), on(3, What::kLock, 1), on(3, What::kUnlock, 1),
      on(2, What::kLock, 1), write(2)}},
    {"TwoReadersOfALock",
     {on(1, What::kReadLock), write(1), on(1, What::kReadUnlock), on(2, What::kReadLock), write(2)},
     1,
     4},
    {"ReadersThenAWriter",
     {on(1, What::kReadLock), read(1), on(1, What::kReadUnlock), on(2, What::kReadLock), read(2),
      on(2, What::kReadUnlock), on(3, What::kLock), write(3)}},
    {"Semaphore", {write(1), on(1, What::kPost), on(2, What::kWait), write(2)}},
    {"SemaphoreOfTwo",
     {write(1), on(1, What::kPost), on(3, What::kPost), on(2, What::kWait), write(2)}},
};
INSTANTIATE_TEST_SUITE_P(Orders, KnownHistory, testing::ValuesIn(kOrders),
                         [](const auto& info) { return info.param.name; });

const Case kAtomics[] = {
    {"TwoAtomics", {store(1, kX, kRelaxed), store(2, kX, kRelaxed), modify(3, kX, kRelaxed)}},
    {"AtomicAndPlain", {store(1, kX, kSeqCst), read(2, kX)}, 0, 1},
    {"PlainAndAtomic", {write(1, kX), load(2, kX, kSeqCst)}, 0, 1},
    {"PlainReadBehindAnAtomicOne",
     {load(1, kX, kSeqCst), read(1, kX), store(2, kX, kSeqCst)},
     1,
     2},
    {"AtomicReadDoesNotHideAPlainOne",
     {read(1, kX), load(1, kX, kSeqCst), store(2, kX, kSeqCst)},
     0,
     2},
    {"AtomicReadAndPlainWrite", {load(1, kX, kSeqCst), write(2, kX)}, 0, 1},
    {"ReleaseAndAcquire",
     {write(1), store(1, kFlag, kRelease), load(2, kFlag, kAcquire), write(2)}},
    {"AcquireOfAnother",
     {write(1), store(1, kFlag, kRelease), load(2, kOther, kAcquire), write(2)},
     0,
     3},
    {"RelaxedStore",
     {write(1), store(1, kFlag, kRelaxed), load(2, kFlag, kAcquire), write(2)},
     0,
     3},
    {"RelaxedLoad",
     {write(1), store(1, kFlag, kRelease), load(2, kFlag, kRelaxed), write(2)},
     0,
     3},
    {"BehindTheRelease",
     {store(1, kFlag, kRelease), write(1), load(2, kFlag, kAcquire), write(2)},
     1,
     3},
    {"ReleaseSequence",
     {write(1), store(1, kFlag, kRelease), modify(3, kFlag, kRelaxed), load(2, kFlag, kAcquire),
      write(2)}},
    {"ReleaseSequenceEndsWithAStore",
     {write(1), store(1, kFlag, kRelease), store(3, kFlag, kRelaxed), load(2, kFlag, kAcquire),
      write(2)},
     0,
     4},
    {"ReleaseSequenceEndsWithARelease",
     {write(1), store(1, kFlag, kRelease), store(3, kFlag, kRelease), load(2, kFlag, kAcquire),
      write(2)},
     0,
     4},
    {"AcqRelOnBothSides",
     {write(1), modify(1, kFlag, kAcqRel), modify(2, kFlag, kAcqRel), write(2)}},
    {"AcquireModifyPassesOnTheRelease",
     {write(1), store(1, kFlag, kRelease), modify(3, kFlag, kAcquire), load(2, kFlag, kAcquire),
      write(2)}},
    {"Fences",
     {write(1), fence(1, kRelease), store(1, kFlag, kRelaxed), load(2, kFlag, kRelaxed),
      fence(2, kAcquire), write(2)}},
    {"FenceBehindTheStore",
     {write(1), store(1, kFlag, kRelaxed), fence(1, kRelease), load(2, kFlag, kAcquire), write(2)},
     0,
     4},
    {"FenceBeforeTheLoad",
     {write(1), store(1, kFlag, kRelease), fence(2, kAcquire), load(2, kFlag, kRelaxed), write(2)},
     0,
     4},
    {"AccessBehindTheFence",
     {fence(1, kRelease), write(1), store(1, kFlag, kRelaxed), load(2, kFlag, kAcquire), write(2)},
     1,
     4},
    {"TheFlagItself", {store(1, kFlag, kRelease), load(2, kFlag, kAcquire), write(2, kFlag)}},
    {"WhatIsMadeByAPlainWriteMayBeReadTooEarly",
     {write(1, kFlag), store(1, kFlag, kRelease), load(2, kFlag, kAcquire)},
     0,
     2},
};
INSTANTIATE_TEST_SUITE_P(Atomics, KnownHistory, testing::ValuesIn(kAtomics),
                         [](const auto& info) { return info.param.name; });

const Case kMemory[] = {
    {"FreeIsAWrite", {write(1, 4), memory(2, What::kFree, 0, 16)}, 0, 1},
    {"FreeOfReadMemory", {read(1, 12), memory(2, What::kFree, 0, 16)}, 0, 1},
    {"FreeOfOwnMemory", {write(1, 4), memory(1, What::kFree, 0, 16)}},
    {"FreeBehindTheJoin", {write(1, 4), join(2, 1), memory(2, What::kFree, 0, 16)}},
    {"FreeBesides", {write(1, 16), memory(2, What::kFree, 0, 16)}},
    {"LastByteOfAnOddBlock", {write(1, 12, 1), memory(2, What::kFree, 0, 13)}, 0, 1},
    {"ByteBehindAnOddBlock", {write(1, 13, 1), memory(2, What::kFree, 0, 13)}},
    {"ReadBehindAFree",
     {write(1, 4), on(1, What::kPost), memory(1, What::kFree, 0, 16), read(2, 4)},
     2,
     3},
    {"GuardedFreeIsAWrite", {write(1, 4), memory(2, What::kGuardedFree, 0, 16)}, 0, 1},
    {"GuardedFreeOfAByte", {write(1, 5, 1), memory(2, What::kGuardedFree, 0, 16)}, 0, 1},
    {"GuardedFreeIsForgotten", {write(1, 4), memory(1, What::kGuardedFree, 0, 16), read(2, 4)}},
    {"ReusedMemory", {write(1, 4), memory(2, What::kReuse, 0, 16), write(2, 4)}},
    {"ReusedBesides", {write(1, 16), memory(2, What::kReuse, 0, 16), write(2, 16)}, 0, 2},
};
INSTANTIATE_TEST_SUITE_P(Memory, KnownHistory, testing::ValuesIn(kMemory),
                         [](const auto& info) { return info.param.name; });

// ---- What a table cannot say. ----

constexpr std::uint64_t kSomeCode = HandMadeWorld::kCode + (1 << 23);

TEST(Races, AreToldOnceForEachPairOfPlaces) {
  Detector detector;
  const History history = {create(0, 1), write(0), write(1)};
  const std::vector<std::uint64_t> here = {kSomeCode, kSomeCode + 1, kSomeCode + 2};
  const std::vector<std::uint64_t> other_way = {kSomeCode, kSomeCode + 2, kSomeCode + 1};
  const std::vector<std::uint64_t> there = {kSomeCode, kSomeCode + 1, kSomeCode + 3};
  EXPECT_TRUE(detector.run(history, here).has_value());
  EXPECT_FALSE(detector.run(history, here).has_value());
  EXPECT_FALSE(detector.run(history, other_way).has_value());
  EXPECT_TRUE(detector.run(history, there).has_value());
}

TEST(Races, EndTheRunIfTheyAreFailures) {
  Detector detector;
  HandMadeWorld::shared().config.settings.races = Races::kFail;
  EXPECT_TRUE(ends_run([&] { detector.run({create(0, 1), write(0), read(1)}); }));
  EXPECT_EQ(last_end().kind, FailureKind::kRace);
  EXPECT_EQ(last_end().message, "T1 reads what T0 has written, and nothing orders the two");
}

TEST(Races, AreNotToldOfMarkedMemory) {
  Detector detector;
  detector.run({create(0, 1), write(0), write(0, 8)});
  mark_benign(memory_bytes, 8);
  HandMadeWorld::become(1);
  race_access(memory_bytes, 4, true, kSomeCode + 10);
  EXPECT_EQ(HandMadeWorld::shared().run.race_seen, 0u);
  race_access(memory_bytes + 8, 4, true, kSomeCode + 11);
  EXPECT_EQ(HandMadeWorld::shared().run.race_seen, 1u);
}

// Variables of a thread on a stack that another one had before, who was never joined.
TEST(Races, AStackIsNewForEachThread) {
  Detector detector;
  detector.begin();
  HandMadeWorld& world = detector.world();
  const auto begin = reinterpret_cast<std::uint64_t>(memory_bytes);
  made_stacks = {begin, begin + 16};
  world.context(1).stack_begin = begin;
  world.context(1).stack_size = 16;
  const auto access = [](Tid thread, std::uint32_t at, std::uint64_t pc) {
    HandMadeWorld::become(thread);
    race_access(memory_bytes + at, 4, true, pc);
    return HandMadeWorld::shared().run.race_seen != 0;
  };
  race_observer()->thread_created(world.add_thread(0, 1));
  EXPECT_FALSE(access(1, 4, kSomeCode + 20));
  EXPECT_FALSE(access(1, 16, kSomeCode + 21));
  HandMadeWorld::become(0);
  race_observer()->thread_created(world.add_thread(0, 1));
  EXPECT_FALSE(access(2, 4, kSomeCode + 22));
  EXPECT_TRUE(access(2, 16, kSomeCode + 23));  // not on the stack
  made_stacks = {};
}

// The end of a thread within a library, which synchronises by atomics that are not seen.
TEST(Races, AtAnUnseenEndAllIsKnownForAWhile) {
  Detector detector;
  detector.run({create(0, 1), create(0, 2), write(1, 0), write(1, 4)});
  HandMadeWorld::become(2);
  race_begin_unseen_end();
  race_access(memory_bytes, 4, true, kSomeCode + 30);
  EXPECT_EQ(HandMadeWorld::shared().run.race_seen, 0u);
  race_end_unseen_end();
  race_access(memory_bytes + 4, 4, true, kSomeCode + 31);
  EXPECT_EQ(HandMadeWorld::shared().run.race_seen, 1u);
}

}  // namespace
}  // namespace snag::rt
