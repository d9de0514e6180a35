#include "runtime/detect/races/races.h"

#include <gmock/gmock.h>

#include <bitset>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "runtime/detect/races/benign_ranges.h"
#include "runtime/sched/observer.h"
#include "runtime/sched/world_for_test.h"

namespace snag::rt {
namespace {

// ---- Histories: what threads do, one event after the other. Thread 0 is there from the start.
// ----

enum class What {
  kCreate,  // of thread `at`; they have to be created in order
  kJoin,    // of thread `at`
  kRead,
  kWrite,
  kLoad,  // atomic, like the next two
  kStore,
  kModify,
  kFence,
  kLock,  // of lock `at`
  kUnlock,
  kReadLock,  // of read-write lock `at`, as the two above
  kReadUnlock,
  kPost,  // of semaphore `at`
  kWait,
  kFree,         // of memory that nobody guards afterwards
  kGuardedFree,  // of memory that the heap checks guard until it is used anew
  kReuse,        // somebody gets the memory
};

struct Event {
  Tid thread;
  What what;
  std::uint32_t at = 0;
  std::uint32_t size = 0;
  int order = 0;
};
using History = std::vector<Event>;

bool is_atomic(What what) {
  return what == What::kLoad || what == What::kStore || what == What::kModify;
}
bool is_free(What what) { return what == What::kFree || what == What::kGuardedFree; }
bool is_access(What what) {
  return what == What::kRead || what == What::kWrite || is_atomic(what) || is_free(what);
}
bool is_write(What what) { return is_access(what) && what != What::kRead && what != What::kLoad; }

Event create(Tid thread, Tid child) { return {thread, What::kCreate, child}; }
Event join(Tid thread, Tid child) { return {thread, What::kJoin, child}; }
Event read(Tid thread, std::uint32_t at = 0, std::uint32_t size = 4) {
  return {thread, What::kRead, at, size};
}
Event write(Tid thread, std::uint32_t at = 0, std::uint32_t size = 4) {
  return {thread, What::kWrite, at, size};
}
Event load(Tid thread, std::uint32_t at, int order) { return {thread, What::kLoad, at, 4, order}; }
Event store(Tid thread, std::uint32_t at, int order) {
  return {thread, What::kStore, at, 4, order};
}
Event modify(Tid thread, std::uint32_t at, int order) {
  return {thread, What::kModify, at, 4, order};
}
Event fence(Tid thread, int order) { return {thread, What::kFence, 0, 0, order}; }
Event on(Tid thread, What what, std::uint32_t object = 0) { return {thread, what, object}; }
Event memory(Tid thread, What what, std::uint32_t at, std::uint32_t size) {
  return {thread, what, at, size};
}

std::string text_of(const History& history) {
  static constexpr const char* kNames[] = {
      "create", "join",  "read", "write",        "load",      "store",
      "modify", "fence", "lock", "unlock",       "read-lock", "read-unlock",
      "post",   "wait",  "free", "guarded-free", "reuse"};
  std::string text;
  for (std::size_t i = 0; i < history.size(); ++i) {
    const Event& e = history[i];
    text += std::to_string(i) + ": T" + std::to_string(e.thread) + " " +
            kNames[static_cast<int>(e.what)] + " " + std::to_string(e.at) + " size " +
            std::to_string(e.size) + " order " + std::to_string(e.order) + "\n";
  }
  return text;
}

// ---- The detector, driven through a history. ----

// What it found: the access that showed the race, and the code and thread of the earlier one.
struct Found {
  std::size_t second;
  std::uint64_t first_pc;
  AccessReport first_report, second_report;
};

alignas(16) char memory_bytes[64];
char locks[8], semaphores[4];  // (readers leave theirs a byte behind a lock)

class Detector {
 public:
  explicit Detector(bool with_records = false)
      : world_([&](Config& config) {
          config = {};
          config.settings.races = Races::kReport;
          config.record_frames = with_records;
        }) {
    race_observer()->init(&HandMadeWorld::shared());
  }

  // Places in the code never come twice, for a pair of them is told only once. `continues[i]`: the
  // event has the place of the one before.
  static std::uint64_t fresh_code(std::size_t events) {
    static std::uint64_t next = HandMadeWorld::kCode + 16;
    const std::uint64_t result = next;
    next += events;
    return result;
  }

  void begin() {
    world_.begin_run();
    race_observer()->begin_run(&HandMadeWorld::shared(), true);
  }

  std::optional<Found> run(const History& history, const std::vector<std::uint64_t>& pcs) {
    begin();
    for (std::size_t i = 0; i < history.size(); ++i) {
      take(history[i], pcs[i]);
      const Run& run = HandMadeWorld::shared().run;
      if (run.race_seen) {
        return Found{i, run.race.first.stack[0], run.race.first, run.race.second};
      }
    }
    return std::nullopt;
  }

  std::optional<Found> run(const History& history) {
    const std::uint64_t code = fresh_code(history.size());
    std::vector<std::uint64_t> pcs;
    for (std::size_t i = 0; i < history.size(); ++i) pcs.push_back(code + i);
    return run(history, pcs);
  }

  HandMadeWorld& world() { return world_; }

 private:
  void take(const Event& e, std::uint64_t pc) {
    HandMadeWorld::become(e.thread);
    char* const at = memory_bytes + e.at;
    switch (e.what) {
      case What::kCreate:
        return race_observer()->thread_created(world_.add_thread(e.thread));
      case What::kJoin:
        return race_observer()->thread_joined(&sched.threads[e.at]);
      case What::kRead:
        return race_access(at, e.size, false, pc);
      case What::kWrite:
        return race_access(at, e.size, true, pc);
      case What::kLoad:
        return race_atomic_load(at, e.size, e.order, pc);
      case What::kStore:
        return race_atomic_store(at, e.size, e.order, pc);
      case What::kModify:
        return race_atomic_modify(at, e.size, e.order, pc);
      case What::kFence:
        return clock_fence(e.thread, e.order);
      // As runtime/interpose/lock.cc and wait.cc do it.
      case What::kLock:
        race_acquire(&locks[2 * e.at]);
        return race_acquire(readers_of(&locks[2 * e.at]));
      case What::kUnlock:
        return race_release(&locks[2 * e.at]);
      case What::kReadLock:
        return race_acquire(&locks[2 * e.at]);
      case What::kReadUnlock:
        return race_release_more(readers_of(&locks[2 * e.at]));
      case What::kPost:
        return race_release_more(&semaphores[e.at]);
      case What::kWait:
        return race_acquire(&semaphores[e.at]);
      case What::kFree:
      case What::kGuardedFree:
        return race_observer()->freed(at, e.size, pc, false, e.what == What::kGuardedFree);
      case What::kReuse:
        return race_observer()->allocated(at, e.size, false);
    }
  }

  HandMadeWorld world_;
};

// ---- A table of small histories. ----

constexpr int kRelaxed = __ATOMIC_RELAXED, kAcquire = __ATOMIC_ACQUIRE, kRelease = __ATOMIC_RELEASE,
              kAcqRel = __ATOMIC_ACQ_REL, kSeqCst = __ATOMIC_SEQ_CST;

constexpr std::uint32_t kX = 0, kFlag = 32, kOther = 36;  // where variables lie

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

// ---- Against the definition. ----

constexpr std::size_t kMaxEvents = 64;
using Events = std::bitset<kMaxEvents>;

// What happens before what, as sets of events, and by it which pairs of accesses race.
class Reference {
 public:
  explicit Reference(const History& history) : history_(history), known_(history.size()) {
    for (std::size_t i = 0; i < history.size(); ++i) add(i);
  }

  // Whether these accesses race; the second is the later one.
  bool race(std::size_t first, std::size_t second) const {
    for (std::uint32_t byte = 0; byte < sizeof memory_bytes; ++byte) {
      if (race_at(byte, first, second)) return true;
    }
    return false;
  }

  // Whether the detector may have forgotten the earlier access for each byte at which they race:
  //   - an atomic write takes the place of all accesses before it, though it races with less;
  //   - to free what nobody has accessed is not noted.
  bool may_be_missed(std::size_t first, std::size_t second) const {
    for (std::uint32_t byte = 0; byte < sizeof memory_bytes; ++byte) {
      if (race_at(byte, first, second) && !may_be_forgotten(byte, first, second)) return false;
    }
    return true;
  }

 private:
  bool touches(std::size_t i, std::uint32_t byte) const {
    const Event& e = history_[i];
    return byte >= e.at && byte < e.at + e.size;
  }

  bool race_at(std::uint32_t byte, std::size_t first, std::size_t second) const {
    const Event &a = history_[first], &b = history_[second];
    if (!is_access(a.what) || !is_access(b.what) || !touches(first, byte) || !touches(second, byte))
      return false;
    if (a.thread == b.thread || (is_atomic(a.what) && is_atomic(b.what))) return false;
    if (!is_write(a.what) && !is_write(b.what)) return false;
    if (known_[second][first]) return false;
    for (std::size_t i = first; i < second; ++i) {
      if (begins_anew(history_[i].what) && touches(i, byte)) return false;
    }
    return true;
  }

  bool may_be_forgotten(std::uint32_t byte, std::size_t first, std::size_t second) const {
    for (std::size_t i = first + 1; i < second; ++i) {
      if (is_atomic(history_[i].what) && is_write(history_[i].what) && touches(i, byte))
        return true;
    }
    if (history_[first].what != What::kFree) return false;
    for (std::size_t i = first; i-- > 0;) {
      const What what = history_[i].what;
      if (!touches(i, byte) || what == What::kFree) continue;
      return begins_anew(what);
    }
    return true;
  }

  static bool begins_anew(What what) { return what == What::kReuse || what == What::kGuardedFree; }

  // The event knows `other`, and what that one knows.
  void learn(std::size_t i, std::size_t other) {
    after_[i] |= after_[other];
    after_[i].set(other);
  }
  void learn(std::size_t i, const Events& others) {
    for (std::size_t other = 0; other < i; ++other) {
      if (others[other]) learn(i, other);
    }
  }

  // By walking back from event `i`. known_[i] does not include what the event itself acquires: the
  // access could have come before that as well, and is checked as if it had.
  void add(std::size_t i) {
    const Event& e = history_[i];
    for (std::size_t before = i; before-- > 0;) {
      const Event& other = history_[before];
      if (other.thread == e.thread || (other.what == What::kCreate && other.at == e.thread))
        learn(i, before);
    }
    known_[i] = after_[i];
    for (std::size_t before = i; before-- > 0;) {
      const Event& other = history_[before];
      const bool same = other.at == e.at;
      const bool is_before =
          (e.what == What::kJoin &&
           (other.thread == e.at || (other.what == What::kCreate && other.at == e.at))) ||
          (e.what == What::kLock && same &&
           (other.what == What::kUnlock || other.what == What::kReadUnlock)) ||
          (e.what == What::kReadLock && same && other.what == What::kUnlock) ||
          (e.what == What::kWait && same && other.what == What::kPost);
      if (is_before) learn(i, before);
    }
    if (e.what == What::kLoad || e.what == What::kModify) {
      if (acquires(e.order)) learn(i, heads_read_by(i));
    } else if (e.what == What::kFence && acquires(e.order)) {
      for (std::size_t before = 0; before < i; ++before) {
        const Event& other = history_[before];
        if (other.thread == e.thread && (other.what == What::kLoad || other.what == What::kModify))
          learn(i, heads_read_by(before));
      }
    }
  }

  // The heads of the release sequences that contain the value that is read: the write before, and
  // those before that as long as they are read-modify-writes.
  Events heads_read_by(std::size_t i) const {
    Events heads;
    for (std::size_t write = i; write-- > 0;) {
      const Event& e = history_[write];
      if ((e.what != What::kStore && e.what != What::kModify) || e.at != history_[i].at) continue;
      if (releases(e.order)) heads.set(write);
      for (std::size_t before = 0; before < write; ++before) {
        const Event& fence = history_[before];
        if (fence.thread == e.thread && fence.what == What::kFence && releases(fence.order))
          heads.set(before);
      }
      if (e.what == What::kStore) break;
    }
    return heads;
  }

  const History& history_;
  std::vector<Events> known_;
  std::vector<Events> after_ = std::vector<Events>(history_.size());
};

// Histories that a program could have: threads act between creation and join, locks have one owner.
class RandomHistory {
 public:
  RandomHistory(std::uint32_t seed, bool with_atomic_data)
      : random_(seed), with_atomic_data_(with_atomic_data) {
    const std::size_t length = 4 + below(17);
    // (Few threads and few variables: otherwise nothing would meet.)
    threads_ = 2 + below(3);
    history_.push_back(create(0, 1));
    created_ = 2;
    while (history_.size() < length) add();
  }
  const History& history() const { return history_; }

 private:
  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(random_() % n); }
  template <class T>
  T one_of(std::initializer_list<T> values) {
    return *(values.begin() + below(static_cast<std::uint32_t>(values.size())));
  }
  int order() { return one_of({kRelaxed, kRelaxed, kAcquire, kRelease, kAcqRel, kSeqCst}); }

  void add() {
    const Tid t = static_cast<Tid>(below(created_));
    if (joined_[t]) return;
    const std::uint32_t at = below(2), dice = below(100);
    if (dice < 8 && created_ < threads_) {
      history_.push_back(create(t, static_cast<Tid>(created_++)));
    } else if (dice < 12) {
      const Tid other = static_cast<Tid>(1 + below(created_ - 1));
      if (other == t || joined_[other] || holds_any(other)) return;
      joined_[other] = true;
      history_.push_back(join(t, other));
    } else if (dice < 28) {
      lock_or_unlock(t, at);
    } else if (dice < 34) {
      history_.push_back(on(t, one_of({What::kPost, What::kWait}), at));
    } else if (dice < 52) {
      synchronise(t);
    } else if (dice < 56) {
      history_.push_back(fence(t, one_of({kAcquire, kRelease, kSeqCst})));
    } else if (dice < 60) {
      // (Behind a guarded block there is nothing but a red zone.)
      const What what = one_of({What::kFree, What::kGuardedFree, What::kReuse});
      const std::uint32_t size = what == What::kGuardedFree ? 16 : one_of({8u, 12u, 16u});
      history_.push_back(memory(t, what, one_of({0u, 16u}), size));
    } else {
      access(t);
    }
  }

  bool holds_any(Tid t) const {
    for (const auto& holders : shared_) {
      if (holders[t]) return true;
    }
    return owner_[0] == t || owner_[1] == t;
  }

  void lock_or_unlock(Tid t, std::uint32_t at) {
    if (owner_[at] == t) {
      owner_[at] = kNoTid;
      history_.push_back(on(t, What::kUnlock, at));
    } else if (shared_[at][t]) {
      shared_[at][t] = false;
      history_.push_back(on(t, What::kReadUnlock, at));
    } else if (owner_[at] == kNoTid && below(3) == 0) {
      shared_[at][t] = true;
      history_.push_back(on(t, What::kReadLock, at));
    } else if (owner_[at] == kNoTid && shared_[at].none()) {
      owner_[at] = t;
      history_.push_back(on(t, What::kLock, at));
    }
  }

  void synchronise(Tid t) {
    const std::uint32_t at = one_of({kFlag, kOther});
    const What what = one_of({What::kLoad, What::kStore, What::kModify});
    history_.push_back({t, what, at, 4, order()});
  }

  void access(Tid t) {
    const std::uint32_t size = one_of({1u, 1u, 2u, 4u, 4u, 4u, 8u, 8u, 16u, 3u, 5u, 7u, 12u, 13u});
    const bool aligned = below(4) != 0 && (size & (size - 1)) == 0;
    const std::uint32_t at = aligned ? below(24 / size + 1) * size % 32 : below(20);
    if (with_atomic_data_ && aligned && size <= 8 && below(2) == 0) {
      history_.push_back(
          {t, one_of({What::kLoad, What::kStore, What::kModify}), at, size, order()});
    } else {
      history_.push_back({t, one_of({What::kRead, What::kWrite}), at, size});
    }
  }

  std::mt19937 random_;
  const bool with_atomic_data_;
  History history_;
  std::uint32_t threads_, created_ = 1;
  bool joined_[4] = {};
  Tid owner_[2] = {kNoTid, kNoTid};
  std::bitset<4> shared_[2];
};

struct Sample {
  bool with_atomic_data, with_records;
};

class RandomHistories : public testing::TestWithParam<Sample> {};

TEST_P(RandomHistories, AreJudgedByTheDefinition) {
  constexpr std::uint32_t kHistories = 2'000;
  Detector detector(GetParam().with_records);
  std::mt19937 random(4711);
  std::uint32_t races = 0, missed = 0;
  for (std::uint32_t seed = 0; seed < kHistories; ++seed) {
    const History history = RandomHistory(seed, GetParam().with_atomic_data).history();
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text_of(history));
    const Reference reference(history);
    // Some accesses have the place of the one before, as in a loop.
    const std::uint64_t code = Detector::fresh_code(history.size());
    std::vector<std::uint64_t> pcs = {code};
    for (std::size_t i = 1; i < history.size(); ++i) {
      const bool alike = history[i].thread == history[i - 1].thread &&
                         history[i].what == history[i - 1].what && random() % 2 == 0;
      pcs.push_back(alike ? pcs.back() : code + i);
    }
    const auto found = detector.run(history, pcs);
    const std::size_t end = found ? found->second : history.size();
    // No race before the one that was found, and none at all if none was.
    bool lost = false;
    for (std::size_t second = 0; second < end; ++second) {
      for (std::size_t first = 0; first < second; ++first) {
        if (!reference.race(first, second)) continue;
        ASSERT_TRUE(lost || reference.may_be_missed(first, second))
            << first << " and " << second << " race";
        lost = true;
      }
    }
    missed += lost;
    if (!found) continue;
    // What was found is one.
    ++races;
    bool is_race = false;
    for (std::size_t first = 0; first < found->second; ++first) {
      const Event& e = history[first];
      is_race |= pcs[first] == found->first_pc && found->first_report.thread == e.thread &&
                 found->first_report.write == is_write(e.what) &&
                 found->first_report.atomic == is_atomic(e.what) &&
                 reference.race(first, found->second);
    }
    ASSERT_TRUE(is_race) << "the access before " << found->second << " does not race with it: pc "
                         << found->first_pc - code;
  }
  // Neither must be rare, or nothing has been tested.
  EXPECT_GT(races, kHistories / 4);
  EXPECT_LT(races, kHistories * 3 / 4);
  EXPECT_LT(missed, kHistories / 20);
  RecordProperty("races", static_cast<int>(races));
  RecordProperty("missed", static_cast<int>(missed));
}

INSTANTIATE_TEST_SUITE_P(Of, RandomHistories,
                         testing::Values(Sample{false, false}, Sample{false, true},
                                         Sample{true, false}, Sample{true, true}),
                         [](const auto& info) {
                           return std::string(info.param.with_atomic_data ? "MixedData"
                                                                          : "PlainData") +
                                  (info.param.with_records ? "WithRecords" : "");
                         });

}  // namespace
}  // namespace snag::rt
