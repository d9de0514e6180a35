#include "tool/base/hang_timer.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <thread>

namespace snag {
namespace {

constexpr milliseconds kLimit{1'000};

struct PatienceTest : testing::Test {
  HangTimer timer;
  Clock::time_point now{};
  PatienceTest() {
    timer.begin(now);
    timer.look(now, 7, ProcessTime{});
  }

  // Looks every 100 ms, in which the process sleeps but for these times.
  void pass(milliseconds time, milliseconds ran, milliseconds queued, pid_t pid = 7) {
    for (milliseconds passed{}; passed < time; passed += milliseconds(100)) {
      now += milliseconds(100);
      total.ran += ran;
      total.queued += queued;
      timer.look(now, pid, total);
    }
  }
  ProcessTime total;
};

TEST_F(PatienceTest, EndsWhereNothingHappens) {
  pass(kLimit, {}, {});
  EXPECT_FALSE(timer.is_over(kLimit));
  pass(milliseconds(100), {}, {});
  EXPECT_TRUE(timer.is_over(kLimit));
}

TEST_F(PatienceTest, BeginsAnew) {
  pass(2 * kLimit, {}, {});
  timer.begin(now);
  EXPECT_FALSE(timer.is_over(kLimit));
}

TEST_F(PatienceTest, DoesNotCountWaitingForAProcessor) {
  pass(5 * kLimit, {}, milliseconds(90));
  EXPECT_FALSE(timer.is_over(kLimit));
  pass(6 * kLimit, {}, milliseconds(90));
  EXPECT_TRUE(timer.is_over(kLimit));
}

TEST_F(PatienceTest, DoesNotCountThatItWaitsForOneJustNow) {
  pass(milliseconds(100), {}, {});
  total.is_runnable = true;
  pass(15 * kLimit, {}, {});
  EXPECT_FALSE(timer.is_over(kLimit));
}

TEST_F(PatienceTest, CountsWhatALoopWithoutEndTakes) {
  total.is_runnable = true;
  pass(5 * kLimit, milliseconds(10), milliseconds(90));
  EXPECT_FALSE(timer.is_over(kLimit));
  pass(6 * kLimit, milliseconds(10), milliseconds(90));
  EXPECT_TRUE(timer.is_over(kLimit));
}

TEST_F(PatienceTest, DoesNotCountLongPausesOfTheTool) {
  now += 15 * kLimit;
  timer.look(now, 7, total);
  EXPECT_FALSE(timer.is_over(kLimit));
}

TEST_F(PatienceTest, EndsAtSomeTimeWhateverHappens) {
  pass(21 * kLimit, {}, milliseconds(100));
  EXPECT_TRUE(timer.is_over(kLimit));
}

TEST_F(PatienceTest, DoesNotCompareOneProcessWithAnother) {
  pass(milliseconds(500), {}, {}, 7);
  total.queued += std::chrono::hours(1);
  pass(milliseconds(700), {}, {}, 8);
  EXPECT_TRUE(timer.is_over(kLimit));
}

TEST_F(PatienceTest, CountsRealTimeWhereTheKernelSaysNothing) {
  for (int i = 0; i < 11; ++i) timer.look(now += milliseconds(100), 7, std::nullopt);
  EXPECT_TRUE(timer.is_over(kLimit));
}

// Two processes that never stop, on one processor: each waits while the other one runs.
TEST(TimeOf, GrowsWhileAnotherOneRuns) {
  cpu_set_t one;
  ASSERT_EQ(sched_getaffinity(0, sizeof one, &one), 0);
  int first = 0;
  while (!CPU_ISSET(first, &one)) ++first;
  CPU_ZERO(&one);
  CPU_SET(first, &one);
  pid_t children[2];
  for (pid_t& child : children) {
    child = fork();
    if (child != 0) continue;
    sched_setaffinity(0, sizeof one, &one);
    for (std::atomic<int> i = 0;;) i.fetch_add(1, std::memory_order_relaxed);
  }
  const auto begin = time_of(children[0]);
  const auto deadline = Clock::now() + std::chrono::seconds(60);
  auto time = begin;
  const auto is_enough = [&] {
    return time->queued > begin->queued + milliseconds(20) && time->ran > begin->ran;
  };
  while (begin && time && !is_enough() && Clock::now() < deadline) time = time_of(children[0]);
  for (const pid_t child : children) {
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
  }
  if (!begin) GTEST_SKIP() << "the kernel does not say";
  ASSERT_TRUE(time);
  EXPECT_TRUE(is_enough());
  EXPECT_TRUE(time->is_runnable);
  EXPECT_FALSE(time_of(children[0]));
}

// A process may be gone between any two looks at it.
TEST(TimeOf, IsAskedOfProcessesThatEndMeanwhile) {
  for (int i = 0; i < 200; ++i) {
    const pid_t child = fork();
    if (child == 0) _exit(0);
    std::atomic<bool> ends = false;
    std::thread reaper([&] {
      waitpid(child, nullptr, 0);
      ends = true;
    });
    while (!ends) time_of(child);
    reaper.join();
    EXPECT_FALSE(time_of(child));
  }
}

TEST(TimeOf, SaysThatAProcessSleeps) {
  int pipe_ends[2];
  ASSERT_EQ(pipe(pipe_ends), 0);
  const pid_t child = fork();
  if (child == 0) {
    char nothing = 0;
    _exit(read(pipe_ends[0], &nothing, 1) == 1 ? 0 : 1);
  }
  const auto deadline = Clock::now() + std::chrono::seconds(60);
  auto time = time_of(child);
  while (time && time->is_runnable && Clock::now() < deadline) time = time_of(child);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  close(pipe_ends[0]);
  close(pipe_ends[1]);
  if (!time) GTEST_SKIP() << "the kernel does not say";
  EXPECT_FALSE(time->is_runnable);
}

}  // namespace
}  // namespace snag
