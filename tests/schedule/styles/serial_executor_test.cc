#include "classes/serial_executor.h"

#include <vector>

#include "styles.h"

TEST(SerialExecutorTest, KeepsTheOrderOfItsCallers) {
  SCHEDULE("firstHasCalled -> secondCalls");
  BY_HAND(std::latch first_has_called(1));
  SerialExecutor executor;
  std::vector<int> order;
  std::thread first([&] {
    executor.execute([&] { order.push_back(1); });
    SNAG_EVENT(firstHasCalled);
    BY_HAND(first_has_called.count_down());
  });
  std::thread second([&] {
    SLEEP(30);
    BY_HAND(first_has_called.wait());
    SNAG_EVENT(secondCalls);
    executor.execute([&] { order.push_back(2); });
  });
  first.join();
  second.join();
  executor.flush();
  EXPECT_EQ(order, (std::vector{1, 2}));
}

TEST(SerialExecutorTest, RunsOneAtATime) {
  SCHEDULE("firstRuns -> looking, looked -> firstEnds");
  BY_HAND(std::latch first_runs(1), looked(1));
  SerialExecutor executor;
  std::atomic<bool> second_ran = false;
  executor.execute([&] {
    SNAG_EVENT(firstRuns);
    BY_HAND(first_runs.count_down());
    SLEEP(60);
    BY_HAND(looked.wait());
    SNAG_EVENT(firstEnds);
    EXPECT_FALSE(second_ran);
  });
  auto second = executor.execute([&] { second_ran = true; });
  SLEEP(30);
  BY_HAND(first_runs.wait());
  SNAG_EVENT(looking);
  EXPECT_EQ(executor.queued(), 1u);
  EXPECT_FALSE(second_ran);
  SNAG_EVENT(looked);
  BY_HAND(looked.count_down());
  EXPECT_TRUE(second->wait());
  EXPECT_TRUE(second_ran);
}

TEST(SerialExecutorTest, CancelsWhatHasNotStarted) {
  SCHEDULE("firstRuns -> cancelling, cancelled -> firstEnds");
  BY_HAND(std::latch first_runs(1), cancelled(1));
  SerialExecutor executor;
  std::atomic<bool> second_ran = false;
  executor.execute([&] {
    SNAG_EVENT(firstRuns);
    BY_HAND(first_runs.count_down());
    SLEEP(60);
    BY_HAND(cancelled.wait());
    SNAG_EVENT(firstEnds);
  });
  auto second = executor.execute([&] { second_ran = true; });
  SLEEP(30);
  BY_HAND(first_runs.wait());
  SNAG_EVENT(cancelling);
  EXPECT_TRUE(second->cancel());
  SNAG_EVENT(cancelled);
  BY_HAND(cancelled.count_down());
  executor.flush();
  EXPECT_FALSE(second_ran);
}

TEST(SerialExecutorTest, DoesNotCancelWhatRuns) {
  SCHEDULE("runs -> cancelling, cancelled -> ends");
  BY_HAND(std::promise<void> runs, cancelled);
  SerialExecutor executor;
  std::atomic<bool> ran = false;
  auto task = executor.execute([&] {
    SNAG_EVENT(runs);
    BY_HAND(runs.set_value());
    SLEEP(60);
    BY_HAND(cancelled.get_future().wait());
    SNAG_EVENT(ends);
    ran = true;
  });
  SLEEP(30);
  BY_HAND(runs.get_future().wait());
  SNAG_EVENT(cancelling);
  EXPECT_FALSE(task->cancel());
  EXPECT_FALSE(ran);
  SNAG_EVENT(cancelled);
  BY_HAND(cancelled.set_value());
  EXPECT_TRUE(task->wait());
  EXPECT_TRUE(ran);
}

TEST(SerialExecutorTest, WaitBlocksUntilTheTaskIsDone) {
  SCHEDULE("[startingWait] -> ends");
  BY_HAND(std::promise<std::shared_ptr<SerialExecutor::Task>> handle);
  SerialExecutor executor;
  std::atomic<bool> ran = false;
  auto task = executor.execute([&] {
    SLEEP(50);
    BY_HAND(auto self = handle.get_future().get());
    BY_HAND(await([&] { return self->waiters() == 1; }));
    SNAG_EVENT(ends);
    ran = true;
  });
  BY_HAND(handle.set_value(task));
  EXPECT_FALSE(ran);
  SNAG_EVENT(startingWait);
  EXPECT_TRUE(task->wait());
  EXPECT_TRUE(ran);
}

TEST(SerialExecutorTest, FlushWaitsForWhatIsQueued) {
  SCHEDULE("[startingFlush] -> firstEnds");
  SerialExecutor executor;
  std::atomic<int> done = 0;
  executor.execute([&] {
    SLEEP(50);
    BY_HAND(await([&] { return executor.queued() == 2; }));  // the second task, and that of flush
    SNAG_EVENT(firstEnds);
    ++done;
  });
  executor.execute([&] { ++done; });
  EXPECT_EQ(done, 0);
  SNAG_EVENT(startingFlush);
  executor.flush();
  EXPECT_EQ(done, 2);
}

TEST(SerialExecutorTest, RefusesTasksWhileItStops) {
  SCHEDULE("[startingStop] -> calling, called -> ends");
  BY_HAND(std::latch called(1));
  SerialExecutor executor;
  executor.execute([&] {
    SLEEP(100);
    BY_HAND(called.wait());
    SNAG_EVENT(ends);
  });
  std::thread stopper([&] {
    SNAG_EVENT(startingStop);
    executor.stop();
  });
  SLEEP(50);
  BY_HAND(await([&] { return executor.stopped(); }));
  SNAG_EVENT(calling);
  EXPECT_THROW(executor.execute([] {}), std::runtime_error);
  SNAG_EVENT(called);
  BY_HAND(called.count_down());
  stopper.join();
}
