#include "runtime/detect/races/clocks.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "runtime/base/check.h"

namespace snag::rt {

void check_failed(const char*, const char* message, const char*, int) {
  ADD_FAILURE() << message;
  std::abort();
}

namespace {

// Threads 0, 1 and 2, all made by thread 0.
class Clocks : public testing::Test {
 protected:
  Clocks() {
    reset_clocks();
    clock_thread_created(1, 0);
    clock_thread_created(2, 0);
  }

  static std::uint32_t now(Tid thread) { return thread_clocks[thread].epoch; }

  int lock_ = 0, other_ = 0;
  const void* x_ = &lock_;
  const void* y_ = &other_;
};

TEST_F(Clocks, CreationOrdersWhatWasBefore) {
  reset_clocks();
  const std::uint32_t before = now(0);
  clock_thread_created(1, 0);
  EXPECT_TRUE(happened_before(before, 1));
  EXPECT_FALSE(happened_before(now(0), 1));  // what the creator does afterwards
  EXPECT_FALSE(happened_before(now(1), 0));
}

TEST_F(Clocks, JoiningOrdersEverythingOfTheEndedThread) {
  const std::uint32_t its = now(1);
  EXPECT_FALSE(happened_before(its, 0));
  clock_thread_joined(1, 0);
  EXPECT_TRUE(happened_before(its, 0));
  EXPECT_FALSE(happened_before(its, 2));
}

TEST_F(Clocks, ALockOrdersItsSections) {
  const std::uint32_t first = now(1);
  clock_release(1, x_);
  const std::uint32_t later = now(1);
  clock_acquire(2, x_);
  EXPECT_TRUE(happened_before(first, 2));
  EXPECT_FALSE(happened_before(later, 2));
  clock_acquire(0, y_);  // another lock says nothing
  EXPECT_FALSE(happened_before(first, 0));
}

TEST_F(Clocks, ReleasesReplaceOrAdd) {
  const std::uint32_t first = now(1), second = now(2);
  clock_release_more(1, x_);
  clock_release_more(2, x_);
  clock_acquire(0, x_);
  EXPECT_TRUE(happened_before(first, 0));
  EXPECT_TRUE(happened_before(second, 0));

  reset_clocks();
  clock_thread_created(1, 0);
  clock_thread_created(2, 0);
  const std::uint32_t lost = now(1);
  clock_release(1, x_);
  clock_release(2, x_);
  clock_acquire(0, x_);
  EXPECT_FALSE(happened_before(lost, 0));
}

TEST_F(Clocks, AtomicsOrderByTheirMemoryOrder) {
  const std::uint32_t first = now(1);
  clock_atomic_store(1, x_, __ATOMIC_RELAXED);
  clock_atomic_load(2, x_, __ATOMIC_ACQUIRE);
  EXPECT_FALSE(happened_before(first, 2));
  clock_atomic_store(1, x_, __ATOMIC_RELEASE);
  clock_atomic_load(2, x_, __ATOMIC_RELAXED);
  EXPECT_FALSE(happened_before(first, 2));
  clock_atomic_load(2, x_, __ATOMIC_SEQ_CST);
  EXPECT_TRUE(happened_before(first, 2));
}

TEST_F(Clocks, ModificationsContinueAReleaseSequence) {
  const std::uint32_t first = now(1);
  clock_atomic_store(1, x_, __ATOMIC_RELEASE);
  clock_atomic_modify(2, x_, __ATOMIC_RELAXED);
  clock_atomic_load(0, x_, __ATOMIC_ACQUIRE);
  EXPECT_TRUE(happened_before(first, 0));
}

TEST_F(Clocks, AStoreEndsAReleaseSequence) {
  const std::uint32_t first = now(1);
  clock_atomic_store(1, x_, __ATOMIC_RELEASE);
  clock_atomic_store(2, x_, __ATOMIC_RELAXED);
  clock_atomic_load(0, x_, __ATOMIC_ACQUIRE);
  EXPECT_FALSE(happened_before(first, 0));
}

TEST_F(Clocks, FencesStandInForTheOrderOfOperations) {
  const std::uint32_t first = now(1);
  clock_fence(1, __ATOMIC_RELEASE);
  const std::uint32_t behind = now(1);
  clock_atomic_store(1, x_, __ATOMIC_RELAXED);
  clock_atomic_load(2, x_, __ATOMIC_RELAXED);
  EXPECT_FALSE(happened_before(first, 2));
  clock_fence(2, __ATOMIC_ACQUIRE);
  EXPECT_TRUE(happened_before(first, 2));
  EXPECT_FALSE(happened_before(behind, 2));
}

TEST_F(Clocks, AReleaseOperationAndAnAcquireFence) {
  const std::uint32_t first = now(1);
  clock_atomic_modify(1, x_, __ATOMIC_RELEASE);
  clock_atomic_modify(2, x_, __ATOMIC_RELAXED);
  clock_fence(2, __ATOMIC_SEQ_CST);
  EXPECT_TRUE(happened_before(first, 2));
}

TEST_F(Clocks, ARunKnowsNothingOfTheLastOne) {
  clock_release(1, x_);
  const std::uint32_t old_epoch = now(1);
  reset_clocks();
  EXPECT_GT(run_epoch, old_epoch);
  clock_thread_created(1, 0);
  const std::uint32_t before = now(0);
  clock_acquire(1, x_);
  EXPECT_FALSE(happened_before(before, 1));
}

TEST_F(Clocks, ManyThreadsAndManyObjects) {
  reset_clocks();
  static int objects[5000];
  for (Tid t = 1; t < 200; ++t) clock_thread_created(t, 0);
  std::uint32_t before[200];
  for (Tid t = 1; t < 200; ++t) before[t] = now(t);
  for (int i = 0; i < 5000; ++i) clock_release_more(static_cast<Tid>(1 + i % 199), &objects[i]);
  for (const int& object : objects) clock_acquire(0, &object);
  for (Tid t = 1; t < 200; ++t) {
    EXPECT_TRUE(happened_before(before[t], 0));
    EXPECT_FALSE(happened_before(now(t), 0));
  }
}

}  // namespace
}  // namespace snag::rt
