#include "runtime/detect/locks/unheard_signal.h"

#include <gtest/gtest.h>

#include <vector>

namespace snag::rt {
namespace {

constexpr std::uint64_t kCondition = 0x100, kMutex = 0x200, kOther = 0x208, kFlag = 0x300;

// T0 is main, T1 waits, and the last step of the log is its wait.
class Log {
 public:
  Log& add(Tid thread, OpKind kind, std::uint64_t object) {
    steps_.push_back({0x1000 + steps_.size(), object, thread, kind, 0, 0});
    return *this;
  }
  Log& create(Tid creator, Tid thread) { return add(creator, OpKind::kThreadCreate, thread + 1u); }
  Log& lock(Tid thread, std::uint64_t mutex = kMutex) {
    return add(thread, OpKind::kMutexLock, mutex);
  }
  Log& unlock(Tid thread, std::uint64_t mutex = kMutex) {
    return add(thread, OpKind::kMutexUnlock, mutex);
  }
  Log& load(Tid thread) { return add(thread, OpKind::kAtomicLoad, kFlag); }
  Log& store(Tid thread) { return add(thread, OpKind::kAtomicStore, kFlag); }
  Log& signal(Tid thread) { return add(thread, OpKind::kCondSignal, kCondition); }
  Log& wait(Tid thread) { return add(thread, OpKind::kCondWait, kCondition); }

  UnheardSignal find(Tid signaller = 0) const {
    return find_unheard_signal(steps_.data(), steps_.size() - 1, signaller, kMutex);
  }

 private:
  std::vector<Step> steps_;
};

TEST(UnheardSignal, AFlagThatWasSetAfterItWasRead) {
  const UnheardSignal found = Log().create(0, 1).lock(1).load(1).store(0).signal(0).wait(1).find();
  EXPECT_EQ(found.signal, 4u);
  EXPECT_EQ(found.read, 2u);
  EXPECT_EQ(found.written, 3u);
}

TEST(UnheardSignal, AFlagThatWasReadAgain) {
  EXPECT_FALSE(
      Log().create(0, 1).load(1).store(0).signal(0).lock(1).load(1).wait(1).find().found());
}

TEST(UnheardSignal, AFlagThatWasExchangedAgain) {
  Log log;
  log.create(0, 1).load(1).store(0).signal(0).lock(1);
  EXPECT_FALSE(log.add(1, OpKind::kAtomicRmw, kFlag).wait(1).find().found());
}

TEST(UnheardSignal, TheSignalTellsOfWhatWasChangedUnderTheMutex) {
  // Before the write, after it, and while it signals.
  EXPECT_FALSE(Log().lock(0).unlock(0).load(1).store(0).signal(0).lock(1).wait(1).find().found());
  EXPECT_FALSE(Log().load(1).store(0).lock(0).unlock(0).signal(0).lock(1).wait(1).find().found());
  EXPECT_FALSE(Log().load(1).store(0).lock(0).signal(0).unlock(0).lock(1).wait(1).find().found());
}

TEST(UnheardSignal, AMutexThatIsHeldForSeveralSignals) {
  Log log;
  log.load(1).lock(0).signal(0).store(0).signal(0).unlock(0).lock(1).wait(1);
  EXPECT_FALSE(log.find().found());
}

TEST(UnheardSignal, AWaitReleasesTheMutexToo) {
  Log log;
  log.lock(0).signal(0).load(1).store(0).signal(0).wait(0).lock(1).wait(1);
  EXPECT_FALSE(log.find().found());
}

TEST(UnheardSignal, AnotherMutexProtectsOtherData) {
  Log log;
  log.load(1).lock(0, kOther).store(0).unlock(0, kOther).signal(0).lock(1).wait(1);
  EXPECT_TRUE(log.find().found());
}

TEST(UnheardSignal, TheMutexThatIsTakenAfterTheSignal) {
  Log log;
  log.load(1).store(0).signal(0).lock(0).unlock(0).lock(1).wait(1);
  EXPECT_TRUE(log.find().found());
}

TEST(UnheardSignal, WhatAnEarlierSignalToldIsNotNew) {
  Log log;
  log.lock(0).unlock(0).signal(0).load(1).store(0).signal(0).lock(1).wait(1);
  EXPECT_TRUE(log.find().found());
}

TEST(UnheardSignal, AThreadThatHasWaitedBeforeMayDoSoAtIntervals) {
  const auto log = [](Tid first) {
    Log result;
    result.lock(first).wait(first).lock(first).unlock(first);
    return result.load(1).store(0).signal(0).lock(1).wait(1).find().found();
  };
  EXPECT_FALSE(log(1));
  EXPECT_TRUE(log(2));
}

TEST(UnheardSignal, ANeighbourInTheSameWordIsAnotherVariable) {
  Step log[] = {{1, 2, 0, OpKind::kThreadCreate, 0, 0},
                {2, kOther, 0, OpKind::kMutexLock, 0, 0},
                {3, kOther, 0, OpKind::kMutexUnlock, 0, 0},
                {4, kMutex, 1, OpKind::kMutexLock, 0, 0},
                {5, kFlag, 1, OpKind::kRead, step_offset_flags(4), 0},
                {6, kFlag, 0, OpKind::kWrite, 0, 0},
                {7, kCondition, 0, OpKind::kCondSignal, 0, 0},
                {8, kCondition, 1, OpKind::kCondWait, 0, 0}};
  EXPECT_FALSE(find_unheard_signal(log, 7, 0, kMutex).found());
  log[4].flags = 0;
  EXPECT_TRUE(find_unheard_signal(log, 7, 0, kMutex).found());
}

TEST(UnheardSignal, NothingWasRead) {
  EXPECT_FALSE(Log().create(0, 1).signal(0).lock(1).wait(1).find().found());
  EXPECT_FALSE(Log().create(0, 1).store(0).signal(0).lock(1).wait(1).find().found());
}

TEST(UnheardSignal, AnEarlierWaitWouldHaveEnded) {
  EXPECT_FALSE(
      Log().load(1).store(0).signal(0).lock(1).wait(1).unlock(1).lock(1).wait(1).find().found());
}

TEST(UnheardSignal, OwnSignalsDoNotCount) {
  EXPECT_FALSE(Log().load(1).store(1).signal(1).lock(1).wait(1).find(1).found());
}

TEST(UnheardSignal, ATooLongSilenceProvesNothing) {
  const auto log = [](int steps) {
    Log result;
    for (int i = 0; i < steps; ++i) result.lock(0, kOther);
    return result.load(1).store(0).signal(0).lock(1).wait(1).find().found();
  };
  EXPECT_FALSE(log(30'000));
  EXPECT_TRUE(log(3));
}

}  // namespace
}  // namespace snag::rt
