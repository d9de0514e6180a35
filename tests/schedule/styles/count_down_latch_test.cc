#include "classes/count_down_latch.h"

#include "styles.h"

using namespace std::chrono_literals;

TEST(CountDownLatchTest, WaitBlocksUntilZero) {
  SCHEDULE("[startingWait] -> countingDown");
  CountDownLatch latch(1);
  std::atomic<bool> through = false;
  std::thread waiter([&] {
    SNAG_EVENT(startingWait);
    latch.wait();
    through = true;
  });
  SLEEP(50);
  BY_HAND(await([&] { return latch.waiters() == 1; }));
  SNAG_EVENT(countingDown);
  EXPECT_FALSE(through);
  latch.count_down();
  waiter.join();
  EXPECT_TRUE(through);
}

TEST(CountDownLatchTest, WaitAfterZeroReturnsAtOnce) {
  SCHEDULE("countedDown -> startingWait");
  BY_HAND(std::promise<void> counted_down);
  CountDownLatch latch(1);
  std::thread counter([&] {
    latch.count_down();
    SNAG_EVENT(countedDown);
    BY_HAND(counted_down.set_value());
  });
  SLEEP(30);
  BY_HAND(counted_down.get_future().wait());
  SNAG_EVENT(startingWait);
  EXPECT_TRUE(latch.is_zero());
  latch.wait();
  counter.join();
}

TEST(CountDownLatchTest, ReleasesAllWhoWait) {
  SCHEDULE("[startingWait1] && [startingWait2] && [startingWait3] -> countingDown");
  CountDownLatch latch(1);
  std::atomic<int> through = 0;
  std::thread first([&] {
    SNAG_EVENT(startingWait1);
    latch.wait();
    ++through;
  });
  std::thread second([&] {
    SNAG_EVENT(startingWait2);
    latch.wait();
    ++through;
  });
  std::thread third([&] {
    SNAG_EVENT(startingWait3);
    latch.wait();
    ++through;
  });
  SLEEP(50);
  BY_HAND(await([&] { return latch.waiters() == 3; }));
  SNAG_EVENT(countingDown);
  EXPECT_EQ(through, 0);
  latch.count_down();
  first.join();
  second.join();
  third.join();
  EXPECT_EQ(through, 3);
}

TEST(CountDownLatchTest, OnlyTheLastCountReleases) {
  SCHEDULE("[startingWait] -> firstCount, firstCounted -> secondCount");
  BY_HAND(std::latch first_counted(1));
  CountDownLatch latch(2);
  std::atomic<bool> through = false;
  std::thread waiter([&] {
    SNAG_EVENT(startingWait);
    latch.wait();
    through = true;
  });
  std::thread first([&] {
    SLEEP(30);
    BY_HAND(await([&] { return latch.waiters() == 1; }));
    SNAG_EVENT(firstCount);
    latch.count_down();
    SNAG_EVENT(firstCounted);
    BY_HAND(first_counted.count_down());
  });
  SLEEP(60);
  BY_HAND(first_counted.wait());
  SNAG_EVENT(secondCount);
  EXPECT_EQ(latch.count(), 1);
  EXPECT_FALSE(through);
  latch.count_down();
  waiter.join();
  first.join();
  EXPECT_TRUE(through);
}

TEST(CountDownLatchTest, WaitWithTimeIsReleased) {
  SCHEDULE("[startingWait] -> countingDown");
  CountDownLatch latch(1);
  std::thread waiter([&] {
    SNAG_EVENT(startingWait);
    EXPECT_TRUE(latch.wait_for(60s));
  });
  SLEEP(50);
  BY_HAND(await([&] { return latch.waiters() == 1; }));
  SNAG_EVENT(countingDown);
  EXPECT_FALSE(latch.is_zero());
  latch.count_down();
  waiter.join();
}

TEST(CountDownLatchTest, WhoComesLateDoesNotWait) {
  SCHEDULE("[startingWait] -> countingDown, countedDown -> lateWait");
  BY_HAND(std::latch counted_down(1));
  CountDownLatch latch(1);
  std::atomic<int> through = 0;
  std::thread early([&] {
    SNAG_EVENT(startingWait);
    latch.wait();
    ++through;
  });
  std::thread late([&] {
    SLEEP(80);
    BY_HAND(counted_down.wait());
    SNAG_EVENT(lateWait);
    EXPECT_TRUE(latch.wait_for(0s));
    ++through;
  });
  SLEEP(40);
  BY_HAND(await([&] { return latch.waiters() == 1; }));
  SNAG_EVENT(countingDown);
  EXPECT_EQ(through, 0);
  latch.count_down();
  SNAG_EVENT(countedDown);
  BY_HAND(counted_down.count_down());
  early.join();
  late.join();
  EXPECT_EQ(through, 2);
}
