#include "classes/blocking_queue.h"

#include "styles.h"

using namespace std::chrono_literals;

// The example of the paper on IMUnit: one take that finds something, and one that blocks.
TEST(BlockingQueueTest, TakeWithAdd) {
  SCHEDULE("finishedAdd1 -> startingTake1, [startingTake2] -> startingAdd2");
  BY_HAND(std::latch added(1));
  BlockingQueue<int> queue(1);
  std::thread adder([&] {
    queue.add(1);
    SNAG_EVENT(finishedAdd1);
    BY_HAND(added.count_down());
    SLEEP(80);
    BY_HAND(await([&] { return queue.waiting_takers() == 1; }));
    SNAG_EVENT(startingAdd2);
    EXPECT_NO_THROW(queue.add(2));
  });
  SLEEP(40);
  BY_HAND(added.wait());
  SNAG_EVENT(startingTake1);
  EXPECT_EQ(queue.take(), 1);
  EXPECT_TRUE(queue.empty());
  SNAG_EVENT(startingTake2);
  EXPECT_EQ(queue.take(), 2);
  EXPECT_TRUE(queue.empty());
  adder.join();
}

TEST(BlockingQueueTest, TakeBlocksWhileEmpty) {
  SCHEDULE("[startingTake] -> startingPut");
  BlockingQueue<int> queue(1);
  std::atomic<bool> taken = false;
  std::thread taker([&] {
    SNAG_EVENT(startingTake);
    EXPECT_EQ(queue.take(), 1);
    taken = true;
  });
  SLEEP(50);
  BY_HAND(await([&] { return queue.waiting_takers() == 1; }));
  SNAG_EVENT(startingPut);
  EXPECT_FALSE(taken);
  queue.put(1);
  taker.join();
  EXPECT_TRUE(taken);
}

TEST(BlockingQueueTest, PutBlocksWhileFull) {
  SCHEDULE("[startingPut] -> startingTake");
  BlockingQueue<int> queue(1);
  std::atomic<bool> has_put = false;
  queue.put(1);
  std::thread putter([&] {
    SNAG_EVENT(startingPut);
    queue.put(2);
    has_put = true;
  });
  SLEEP(50);
  BY_HAND(await([&] { return queue.waiting_putters() == 1; }));
  SNAG_EVENT(startingTake);
  EXPECT_FALSE(has_put);
  EXPECT_EQ(queue.take(), 1);
  putter.join();
  EXPECT_TRUE(has_put);
  EXPECT_EQ(queue.take(), 2);
}

TEST(BlockingQueueTest, OfferFailsUntilSomethingIsTaken) {
  SCHEDULE("firstOffer -> startingTake, finishedTake -> secondOffer");
  BY_HAND(std::latch offered(1), taken(1));
  BlockingQueue<int> queue(1);
  queue.put(1);
  std::thread taker([&] {
    SLEEP(40);
    BY_HAND(offered.wait());
    SNAG_EVENT(startingTake);
    EXPECT_EQ(queue.take(), 1);
    SNAG_EVENT(finishedTake);
    BY_HAND(taken.count_down());
  });
  EXPECT_FALSE(queue.offer(2));
  SNAG_EVENT(firstOffer);
  BY_HAND(offered.count_down());
  SLEEP(80);
  BY_HAND(taken.wait());
  SNAG_EVENT(secondOffer);
  EXPECT_TRUE(queue.offer(2));
  taker.join();
}

TEST(BlockingQueueTest, AddThrowsWhenAnotherThreadHasFilledIt) {
  SCHEDULE("filled -> startingAdd");
  BY_HAND(std::promise<void> filled);
  BlockingQueue<int> queue(2);
  std::thread filler([&] {
    queue.put(1);
    queue.put(2);
    SNAG_EVENT(filled);
    BY_HAND(filled.set_value());
  });
  SLEEP(30);
  BY_HAND(filled.get_future().wait());
  SNAG_EVENT(startingAdd);
  EXPECT_THROW(queue.add(3), QueueFull);
  filler.join();
}

TEST(BlockingQueueTest, TwoPutsWakeTwoTakers) {
  SCHEDULE("[startingTake1] && [startingTake2] -> startingPut");
  BlockingQueue<int> queue(2);
  std::atomic<int> sum = 0;
  std::thread first([&] {
    SNAG_EVENT(startingTake1);
    sum += queue.take();
  });
  std::thread second([&] {
    SNAG_EVENT(startingTake2);
    sum += queue.take();
  });
  SLEEP(50);
  BY_HAND(await([&] { return queue.waiting_takers() == 2; }));
  SNAG_EVENT(startingPut);
  EXPECT_EQ(sum, 0);
  queue.put(1);
  queue.put(10);
  first.join();
  second.join();
  EXPECT_EQ(sum, 11);
}

TEST(BlockingQueueTest, CloseWakesTaker) {
  SCHEDULE("[startingTake] -> startingClose");
  BlockingQueue<int> queue(1);
  std::thread taker([&] {
    SNAG_EVENT(startingTake);
    EXPECT_THROW(queue.take(), QueueClosed);
  });
  SLEEP(50);
  BY_HAND(await([&] { return queue.waiting_takers() == 1; }));
  SNAG_EVENT(startingClose);
  queue.close();
  taker.join();
}

TEST(BlockingQueueTest, CloseWakesPutter) {
  SCHEDULE("[startingPut] -> startingClose");
  BlockingQueue<int> queue(1);
  queue.put(1);
  std::thread putter([&] {
    SNAG_EVENT(startingPut);
    EXPECT_THROW(queue.put(2), QueueClosed);
  });
  SLEEP(50);
  BY_HAND(await([&] { return queue.waiting_putters() == 1; }));
  SNAG_EVENT(startingClose);
  queue.close();
  putter.join();
  EXPECT_EQ(queue.take(), 1);
}

TEST(BlockingQueueTest, PollWithTimeGetsWhatComes) {
  SCHEDULE("[startingPoll] -> startingPut");
  BlockingQueue<int> queue(1);
  std::thread poller([&] {
    SNAG_EVENT(startingPoll);
    EXPECT_EQ(queue.poll_for(60s), 7);
  });
  SLEEP(50);
  BY_HAND(await([&] { return queue.waiting_takers() == 1; }));
  SNAG_EVENT(startingPut);
  EXPECT_EQ(queue.size(), 0u);
  queue.put(7);
  poller.join();
}

TEST(BlockingQueueTest, KeepsTheOrderOfItsProducers) {
  SCHEDULE("firstHasPut -> secondPuts, secondHasPut -> startingTakes");
  BY_HAND(std::latch first_has_put(1), second_has_put(1));
  BlockingQueue<int> queue(4);
  std::thread first([&] {
    queue.put(1);
    queue.put(2);
    SNAG_EVENT(firstHasPut);
    BY_HAND(first_has_put.count_down());
  });
  std::thread second([&] {
    SLEEP(30);
    BY_HAND(first_has_put.wait());
    SNAG_EVENT(secondPuts);
    queue.put(3);
    SNAG_EVENT(secondHasPut);
    BY_HAND(second_has_put.count_down());
  });
  SLEEP(60);
  BY_HAND(second_has_put.wait());
  SNAG_EVENT(startingTakes);
  EXPECT_EQ(queue.poll(), 1);
  EXPECT_EQ(queue.poll(), 2);
  EXPECT_EQ(queue.poll(), 3);
  EXPECT_EQ(queue.poll(), std::nullopt);
  first.join();
  second.join();
}
