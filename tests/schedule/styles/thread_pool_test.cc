#include "classes/thread_pool.h"

#include <stdexcept>
#include <vector>

#include "styles.h"

TEST(ThreadPoolTest, TwoThreadsRunTwoTasksAtATime) {
  SCHEDULE("firstRuns -> secondRuns, secondRuns -> firstEnds");
  BY_HAND(std::latch first_runs(1), second_runs(1));
  ThreadPool pool(2);
  std::atomic<int> running = 0, most = 0;
  auto first = pool.submit([&] {
    most = ++running;
    SNAG_EVENT(firstRuns);
    BY_HAND(first_runs.count_down());
    SLEEP(60);
    BY_HAND(second_runs.wait());
    SNAG_EVENT(firstEnds);
    --running;
  });
  auto second = pool.submit([&] {
    SLEEP(20);
    BY_HAND(first_runs.wait());
    most = ++running;
    SNAG_EVENT(secondRuns);
    BY_HAND(second_runs.count_down());
    --running;
  });
  first.get();
  second.get();
  EXPECT_EQ(most, 2);
}

TEST(ThreadPoolTest, TaskWaitsForAFreeThread) {
  SCHEDULE("firstRuns -> submitting, looked -> firstEnds");
  BY_HAND(std::latch first_runs(1), looked(1));
  ThreadPool pool(1);
  std::atomic<bool> second_ran = false;
  auto first = pool.submit([&] {
    SNAG_EVENT(firstRuns);
    BY_HAND(first_runs.count_down());
    SLEEP(60);
    BY_HAND(looked.wait());
    SNAG_EVENT(firstEnds);
  });
  SLEEP(20);
  BY_HAND(first_runs.wait());
  SNAG_EVENT(submitting);
  auto second = pool.submit([&] { second_ran = true; });
  EXPECT_EQ(pool.queued(), 1u);
  EXPECT_FALSE(second_ran);
  SNAG_EVENT(looked);
  BY_HAND(looked.count_down());
  second.get();
  EXPECT_TRUE(second_ran);
}

TEST(ThreadPoolTest, GetBlocksUntilTheTaskIsDone) {
  SCHEDULE("[startingGet] -> taskEnds");
  BY_HAND(std::latch starting_get(1));
  ThreadPool pool(1);
  auto result = pool.submit([&] {
    SLEEP(50);
    BY_HAND(starting_get.wait());
    SNAG_EVENT(taskEnds);
    return 42;
  });
  EXPECT_EQ(result.wait_for(std::chrono::seconds(0)), std::future_status::timeout);
  SNAG_EVENT(startingGet);
  BY_HAND(starting_get.count_down());
  EXPECT_EQ(result.get(), 42);
}

TEST(ThreadPoolTest, ExceptionReachesWhoWaits) {
  SCHEDULE("[startingGet] -> throwing");
  BY_HAND(std::latch starting_get(1));
  ThreadPool pool(1);
  std::future<int> result = pool.submit([&]() -> int {
    SLEEP(50);
    BY_HAND(starting_get.wait());
    SNAG_EVENT(throwing);
    throw std::invalid_argument("no number");
  });
  SNAG_EVENT(startingGet);
  BY_HAND(starting_get.count_down());
  EXPECT_THROW(result.get(), std::invalid_argument);
}

TEST(ThreadPoolTest, WaitIdleBlocksUntilTheLastTaskIsDone) {
  SCHEDULE("[startingWait] -> firstEnds");
  ThreadPool pool(1);
  std::atomic<int> done = 0;
  pool.submit([&] {
    SLEEP(50);
    BY_HAND(await([&] { return pool.waiting_for_idle() == 1; }));
    SNAG_EVENT(firstEnds);
    ++done;
  });
  pool.submit([&] { ++done; });
  EXPECT_EQ(done, 0);
  SNAG_EVENT(startingWait);
  pool.wait_idle();
  EXPECT_EQ(done, 2);
}

TEST(ThreadPoolTest, ShutdownRunsWhatIsQueued) {
  SCHEDULE("[startingShutdown] -> firstEnds");
  ThreadPool pool(1);
  std::atomic<int> done = 0;
  pool.submit([&] {
    SLEEP(50);
    BY_HAND(await([&] { return pool.closed(); }));
    SNAG_EVENT(firstEnds);
    ++done;
  });
  pool.submit([&] { ++done; });
  EXPECT_EQ(done, 0);
  SNAG_EVENT(startingShutdown);
  pool.shutdown();
  EXPECT_EQ(done, 2);
}

TEST(ThreadPoolTest, SubmitDuringShutdownThrows) {
  SCHEDULE("[startingShutdown] -> submitting, submitted -> taskEnds");
  BY_HAND(std::latch submitted(1));
  ThreadPool pool(1);
  pool.submit([&] {
    SLEEP(100);
    BY_HAND(submitted.wait());
    SNAG_EVENT(taskEnds);
  });
  std::thread closer([&] {
    SNAG_EVENT(startingShutdown);
    pool.shutdown();
  });
  SLEEP(50);
  BY_HAND(await([&] { return pool.closed(); }));
  SNAG_EVENT(submitting);
  EXPECT_THROW(pool.submit([] {}), std::runtime_error);
  SNAG_EVENT(submitted);
  BY_HAND(submitted.count_down());
  closer.join();
}

TEST(ThreadPoolTest, ShutdownNowDropsWhatIsQueued) {
  SCHEDULE("firstRuns -> startingShutdown, [startingShutdown] -> firstEnds");
  BY_HAND(std::latch first_runs(1));
  ThreadPool pool(1);
  std::atomic<bool> second_ran = false;
  auto first = pool.submit([&] {
    SNAG_EVENT(firstRuns);
    BY_HAND(first_runs.count_down());
    SLEEP(60);
    BY_HAND(await([&] { return pool.closed(); }));
    SNAG_EVENT(firstEnds);
  });
  auto second = pool.submit([&] { second_ran = true; });
  SLEEP(20);
  BY_HAND(first_runs.wait());
  SNAG_EVENT(startingShutdown);
  pool.shutdown_now();
  EXPECT_NO_THROW(first.get());
  EXPECT_THROW(second.get(), std::future_error);
  EXPECT_FALSE(second_ran);
}
