#include "engine/patience.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

namespace snag::engine {
namespace {

using std::chrono::milliseconds;
constexpr milliseconds kLimit{1'000};

struct PatienceTest : testing::Test {
  Patience patience;
  Clock::time_point now{};
  PatienceTest() { patience.begin(now); }

  // Looks every 100 ms; of these the process has spent `queued` waiting for a processor.
  void pass(milliseconds time, milliseconds queued, pid_t pid = 7) {
    for (milliseconds passed{}; passed < time; passed += milliseconds(100)) {
      now += milliseconds(100);
      total += queued;
      patience.look(now, pid, total);
    }
  }
  Clock::duration total{};
};

TEST_F(PatienceTest, EndsWhereNothingHappens) {
  pass(kLimit, {});
  EXPECT_FALSE(patience.is_over(kLimit));
  pass(milliseconds(100), {});
  EXPECT_TRUE(patience.is_over(kLimit));
}

TEST_F(PatienceTest, BeginsAnew) {
  pass(2 * kLimit, {});
  patience.begin(now);
  EXPECT_FALSE(patience.is_over(kLimit));
}

TEST_F(PatienceTest, DoesNotCountWaitingForAProcessor) {
  pass(5 * kLimit, milliseconds(90));
  EXPECT_FALSE(patience.is_over(kLimit));
  pass(6 * kLimit, milliseconds(90));
  EXPECT_TRUE(patience.is_over(kLimit));
}

TEST_F(PatienceTest, DoesNotCountLongPausesOfTheTool) {
  now += 15 * kLimit;
  patience.look(now, 7, total);
  EXPECT_FALSE(patience.is_over(kLimit));
}

TEST_F(PatienceTest, EndsAtSomeTimeWhateverHappens) {
  pass(21 * kLimit, milliseconds(100));
  EXPECT_TRUE(patience.is_over(kLimit));
}

TEST_F(PatienceTest, DoesNotCompareOneProcessWithAnother) {
  pass(milliseconds(500), {}, 7);
  total += std::chrono::hours(1);
  pass(milliseconds(600), {}, 8);
  EXPECT_TRUE(patience.is_over(kLimit));
}

TEST_F(PatienceTest, CountsRealTimeWhereTheKernelSaysNothing) {
  for (int i = 0; i < 11; ++i) patience.look(now += milliseconds(100), 7, std::nullopt);
  EXPECT_TRUE(patience.is_over(kLimit));
}

// Two processes that never stop, on one processor: each waits while the other one runs.
TEST(TimeInQueue, GrowsWhileAnotherOneRuns) {
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
    for (volatile int i = 0;; i = i + 1) {
    }
  }
  const auto begin = time_in_queue(children[0]);
  const auto deadline = Clock::now() + std::chrono::seconds(60);
  auto queued = begin;
  while (begin && queued && *queued < *begin + milliseconds(20) && Clock::now() < deadline)
    queued = time_in_queue(children[0]);
  for (const pid_t child : children) {
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
  }
  if (!begin) GTEST_SKIP() << "the kernel does not say";
  ASSERT_TRUE(queued);
  EXPECT_GE(*queued - *begin, milliseconds(20));
  EXPECT_FALSE(time_in_queue(children[0]));
}

}  // namespace
}  // namespace snag::engine
