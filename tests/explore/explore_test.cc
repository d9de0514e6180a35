// snag::explore, called as its users call it. Built by `snag c++`; see CMakeLists.txt.
#include <gtest/gtest.h>
#include <snag/explore.h>

#include <array>
#include <atomic>
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

using snag::explore;
using snag::ExploreResult;

// ---- Bodies. ----

// Fails when both threads read before either writes.
// (Atomic operations, but two of them: no data race.)
constexpr auto lost_update = [] {
  std::atomic<int> balance = 0;
  auto deposit = [&] { balance = balance + 100; };
  std::thread alice(deposit), bob(deposit);
  alice.join();
  bob.join();
  assert(balance == 200);
};

constexpr auto racy_update = [] {
  int balance = 0;
  auto deposit = [&] { balance += 100; };
  std::thread alice(deposit), bob(deposit);
  alice.join();
  bob.join();
  assert(balance == 200);
};

// Cells of the race detector that are split into bytes, and such with several readers, at other
// addresses in each run.
constexpr auto parts_of_words = [] {
  // (Static: what is allocated anew is forgotten anyway.)
  static int run = 0;
  static char bytes[192];
  char* at = bytes + run++ % 32 * 4;
  auto read_all = [&] {
    int sum = 0;
    for (int i = 0; i < 8; ++i) sum += at[i];
    return sum;
  };
  std::thread even([&] { at[8] = at[10] = static_cast<char>(read_all()); });
  std::thread odd([&] { at[9] = at[11] = static_cast<char>(read_all()); });
  even.join();
  odd.join();
  for (int i = 0; i < 12; ++i) at[i] = 1;
};

constexpr auto correct_update = [] {
  int balance = 0;
  std::mutex mutex;
  auto deposit = [&] {
    std::lock_guard lock(mutex);
    balance += 100;
  };
  std::thread alice(deposit), bob(deposit);
  alice.join();
  bob.join();
  assert(balance == 200);
};

constexpr auto lock_order = [] {
  std::mutex a, b;
  std::thread there([&] {
    std::lock_guard first(a);
    std::lock_guard second(b);
  });
  std::thread back([&] {
    std::lock_guard first(b);
    std::lock_guard second(a);
  });
  there.join();
  back.join();
};

constexpr auto notified_too_early = [] {
  std::mutex mutex;
  std::condition_variable changed;
  std::atomic<bool> ready = false;
  std::thread waiter([&] {
    std::unique_lock lock(mutex);
    while (!ready) changed.wait(lock);
  });
  ready = true;
  changed.notify_one();
  waiter.join();
};

// The second thread sees the pointer that the first has not set yet.
constexpr auto published_null = [] {
  std::atomic<int*> shared = nullptr;
  int value = 7;
  std::thread writer([&] { shared = &value; });
  std::thread reader([&] { *shared.load() = 8; });
  writer.join();
  reader.join();
};

void plain_function() { lost_update(); }

// ---- What is found. ----

TEST(Explore, ACorrectBodyDoesNotFail) {
  const ExploreResult result = explore({.runs = 500}, correct_update);
  EXPECT_TRUE(result) << result.report();
  EXPECT_EQ(result.runs, 500u);
  EXPECT_GT(result.distinct_orders, 0u);
  EXPECT_GT(result.steps, 500u);
  EXPECT_TRUE(result.token.empty());
  EXPECT_EQ(result.report().find("no failure in 500 schedules ("), 0u) << result.report();
}

TEST(Explore, RunsInOneProcessDoNotMixWhatTheyRemember) {
  const ExploreResult result = explore({.runs = 2'000, .races = true}, parts_of_words);
  EXPECT_TRUE(result) << result.report();
  EXPECT_EQ(result.runs, 2'000u);
}

TEST(Explore, ADataRaceIsAFailure) {
  const ExploreResult result = explore({}, racy_update);
  EXPECT_EQ(result.kind, "race") << result.report();
  EXPECT_TRUE(result.confirmed);
  EXPECT_NE(result.message.find("nothing orders the two"), std::string::npos) << result.message;
  EXPECT_EQ(explore({.races = false}, racy_update).kind, "assert");
}

TEST(Explore, FindsALostUpdate) {
  const ExploreResult result = explore({}, lost_update);
  EXPECT_FALSE(result);
  EXPECT_EQ(result.kind, "assert");
  EXPECT_EQ(result.message, "assertion `balance == 200' failed");
  EXPECT_TRUE(result.confirmed);
  EXPECT_LE(result.runs, 1000u);
  EXPECT_EQ(result.token.find("snag1:"), 0u) << result.token;
  EXPECT_NE(result.report().find("replay with SNAG_REPLAY='" + result.token + "'"),
            std::string::npos);
}

TEST(Explore, FindsItWithEveryStrategyAndBackend) {
  for (const char* strategy : {"random", "pct", "pos", "surw", "dfs", "mix"}) {
    for (const char* backend : {"user", "futex"}) {
      const ExploreResult result = explore({.strategy = strategy, .backend = backend}, lost_update);
      EXPECT_EQ(result.kind, "assert") << strategy << ", " << backend << ": " << result.report();
      EXPECT_TRUE(result.confirmed) << strategy << ", " << backend;
    }
  }
}

TEST(Explore, TheBodyMayBeAnythingThatCanBeCalled) {
  EXPECT_EQ(explore({}, plain_function).kind, "assert");
  EXPECT_EQ(explore({}, &plain_function).kind, "assert");
  const std::function<void()> wrapped = plain_function;
  EXPECT_EQ(explore({}, wrapped).kind, "assert");
}

TEST(Explore, PlainAccessesArePointsOnlyIfAskedFor) {
  // The race would be found in any case.
  EXPECT_TRUE(explore({.points = "sync", .races = false}, racy_update));
  EXPECT_FALSE(explore({.points = "all", .races = false}, racy_update));
}

TEST(Explore, FindsADeadlock) {
  const ExploreResult result = explore({}, lock_order);
  EXPECT_EQ(result.kind, "deadlock") << result.report();
  EXPECT_TRUE(result.confirmed);
  EXPECT_NE(result.threads.find("waits in lock for what T1 has"), std::string::npos)
      << result.threads;
  EXPECT_NE(result.threads.find("waits in lock for what T2 has"), std::string::npos)
      << result.threads;
}

TEST(Explore, FindsALostWakeup) {
  const ExploreResult result = explore({}, notified_too_early);
  EXPECT_EQ(result.kind, "lost-wakeup") << result.report();
  EXPECT_TRUE(result.confirmed);
}

TEST(Explore, ACrashDoesNotTakeTheTestDown) {
  const ExploreResult result = explore({}, published_null);
  EXPECT_EQ(result.kind, "signal") << result.report();
  EXPECT_EQ(result.message, "invalid memory access at address 0x0");
  EXPECT_TRUE(result.confirmed);
  // Nor does it spoil what comes afterwards.
  EXPECT_TRUE(explore({.runs = 100}, correct_update));
  EXPECT_EQ(explore({}, lost_update).kind, "assert");
}

TEST(Explore, AbortAndExitAreFailures) {
  const ExploreResult aborted = explore({}, [] { std::abort(); });
  EXPECT_EQ(aborted.kind, "abort") << aborted.report();
  EXPECT_EQ(aborted.runs, 1u);
  const ExploreResult ended = explore({}, [] { std::exit(3); });
  EXPECT_EQ(ended.kind, "exit") << ended.report();
  EXPECT_NE(ended.message.find("status 3"), std::string::npos) << ended.message;
  // Also when it looks like success: the runs after it did not take place.
  EXPECT_EQ(explore({}, [] { std::exit(0); }).kind, "exit");
}

TEST(Explore, AnExceptionIsAFailure) {
  const ExploreResult result = explore({}, [] { throw std::runtime_error("boom"); });
  EXPECT_EQ(result.kind, "reported") << result.report();
  EXPECT_EQ(result.message, "exception: boom");
  EXPECT_EQ(explore({}, [] { throw 1; }).message, "an exception that is not a std::exception");
}

TEST(Explore, AnExceptionThatNobodyCatchesInAThreadIsAFailure) {
  const ExploreResult result =
      explore({}, [] { std::thread([] { throw std::logic_error("inside"); }).join(); });
  EXPECT_EQ(result.kind, "exception") << result.report();
}

TEST(Explore, SnagFailEndsTheRun) {
  const ExploreResult result = explore({}, [] {
    std::atomic<int> turns = 0;
    std::thread other([&] { ++turns; });
    if (turns == 0) snag::fail("the other thread has not run");
    other.join();
  });
  EXPECT_EQ(result.kind, "reported") << result.report();
  EXPECT_EQ(result.message, "the other thread has not run");
}

TEST(Explore, ARunThatTakesTooManyStepsIsCutShort) {
  const ExploreResult result = explore({.max_steps = 1000}, [] {
    std::atomic<int> counter = 0;
    for (;;) ++counter;
  });
  EXPECT_EQ(result.kind, "cut-short") << result.report();
}

TEST(Explore, AnEndlessLoopWithoutSchedulePointsIsAHang) {
  const ExploreResult result = explore({.hang_seconds = 0.3}, [] {
    for (;;) asm volatile("");
  });
  EXPECT_EQ(result.kind, "hang") << result.report();
}

TEST(Explore, FailuresOfLaterRunsAreFoundToo) {
  // Whatever the body left behind in earlier runs must not help or hurt: here it even decides.
  const ExploreResult result = explore({.runs = 1000}, [] {
    static int calls = 0;
    correct_update();
    assert(++calls < 500);
  });
  EXPECT_EQ(result.kind, "assert") << result.report();
  EXPECT_EQ(result.runs, 500u);
  EXPECT_EQ(result.failing_run, 499u);
  // It depends on more than the schedule, and that is said.
  EXPECT_FALSE(result.confirmed);
  EXPECT_NE(result.report().find("not confirmed"), std::string::npos);
}

// ---- Replay. ----

TEST(Explore, ATokenReplaysTheFailure) {
  const ExploreResult found = explore({}, lost_update);
  ASSERT_TRUE(found.failed);
  for (int i = 0; i < 20; ++i) {
    const ExploreResult again = explore({.replay = found.token}, lost_update);
    ASSERT_EQ(again.kind, "assert") << again.report();
    EXPECT_EQ(again.message, found.message);
    EXPECT_EQ(again.runs, 1u);
    ASSERT_EQ(again.token, found.token);
  }
}

TEST(Explore, ATokenReplaysADeadlockAndACrash) {
  for (void (*body)() : {+lock_order, +notified_too_early, +published_null}) {
    const ExploreResult found = explore({}, body);
    ASSERT_TRUE(found.failed);
    const ExploreResult again = explore({.replay = found.token}, body);
    EXPECT_EQ(again.kind, found.kind) << again.report();
    EXPECT_EQ(again.token, found.token);
  }
}

TEST(Explore, TheVariableReplaysToo) {
  const ExploreResult found = explore({}, lost_update);
  ASSERT_TRUE(found.failed);
  setenv("SNAG_REPLAY", found.token.c_str(), 1);
  const ExploreResult again = explore({}, lost_update);
  unsetenv("SNAG_REPLAY");
  EXPECT_EQ(again.kind, "assert");
  EXPECT_EQ(again.runs, 1u);
  EXPECT_EQ(again.token, found.token);
}

TEST(Explore, ATokenOfAnotherBodyDiverges) {
  const ExploreResult found = explore({}, lost_update);
  const ExploreResult other = explore({.replay = found.token}, [] { std::thread([] {}).join(); });
  EXPECT_FALSE(other) << other.report();
  EXPECT_TRUE(other.diverged);
  EXPECT_FALSE(other.failed);
  EXPECT_FALSE(other.message.empty());
}

TEST(Explore, ADamagedTokenIsSaidToBeOne) {
  for (const char* token :
       {"nonsense", "snag1:", "snag1:1:2", "snag1:1:2:5::", "snag1:1:2:5:::0*0", "snag1:1:2:::0*1",
        "snag1:1:2:9:::0*1", "snag1:1:2:5:::99999*1", "snag2:1:2:5:::0*1", "snag1:1:2:5:x::0*1"}) {
    const ExploreResult result = explore({.replay = token}, lost_update);
    EXPECT_TRUE(result.diverged) << token << ": " << result.report();
    EXPECT_NE(result.message.find("token"), std::string::npos) << token << ": " << result.message;
  }
}

TEST(Explore, TheSameSeedGivesTheSameSchedules) {
  for (std::uint64_t seed : {1, 2, 3}) {
    const ExploreResult first = explore({.seed = seed}, lost_update);
    const ExploreResult second = explore({.seed = seed}, lost_update);
    EXPECT_EQ(first.runs, second.runs);
    EXPECT_EQ(first.token, second.token);
    const ExploreResult futex = explore({.seed = seed, .backend = "futex"}, lost_update);
    EXPECT_EQ(first.token, futex.token);
  }
}

// ---- Bounds. ----

TEST(Explore, DfsExhaustsASmallSpaceAndSaysSo) {
  const ExploreResult result = explore({.runs = 100'000, .strategy = "dfs"}, correct_update);
  EXPECT_TRUE(result) << result.report();
  EXPECT_TRUE(result.exhausted);
  EXPECT_FALSE(result.bound_hit);
  EXPECT_LT(result.runs, 1000u);
  EXPECT_NE(result.report().find("there are no others"), std::string::npos) << result.report();
}

TEST(Explore, DfsThatIsCutOffDoesNotSayThatItIsThrough) {
  const ExploreResult result = explore({.runs = 5, .strategy = "dfs"}, [] {
    std::atomic<int> counter = 0;
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) threads.emplace_back([&] { ++counter, ++counter; });
    for (auto& thread : threads) thread.join();
  });
  EXPECT_TRUE(result);
  EXPECT_EQ(result.runs, 5u);
  EXPECT_FALSE(result.exhausted);
}

TEST(Explore, DfsWithABoundSaysThatItHadOne) {
  const ExploreResult result = explore({.strategy = "dfs", .preemptions = 0}, lost_update);
  EXPECT_TRUE(result) << result.report();
  EXPECT_TRUE(result.exhausted);
  EXPECT_TRUE(result.bound_hit);
  EXPECT_NE(result.report().find("there are no others within the bound"), std::string::npos)
      << result.report();
}

TEST(Explore, TimeEndsTheSearch) {
  const auto begin = std::chrono::steady_clock::now();
  const ExploreResult result = explore({.runs = 1'000'000'000, .seconds = 0.3}, correct_update);
  EXPECT_TRUE(result) << result.report();
  EXPECT_GT(result.runs, 100u);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
}

TEST(Explore, NonsenseIsRefusedInASentence) {
  const auto message = [](const snag::ExploreOptions& options) {
    const ExploreResult result = explore(options, correct_update);
    EXPECT_FALSE(result);
    EXPECT_EQ(result.kind, "refused");
    EXPECT_EQ(result.runs, 0u);
    return result.message;
  };
  EXPECT_EQ(message({.strategy = "luck"}), "strategy must be random, pct, pos, surw, dfs or mix");
  EXPECT_EQ(message({.strategy = nullptr}), "strategy must be random, pct, pos, surw, dfs or mix");
  EXPECT_EQ(message({.points = "some"}), "points must be sync, shared or all");
  EXPECT_EQ(message({.backend = "fibers"}), "backend must be user or futex");
  EXPECT_EQ(message({.runs = 0}), "runs must be at least 1");
  EXPECT_EQ(message({.seconds = -1}), "seconds must not be negative");
  EXPECT_EQ(message({.max_steps = 0}), "max_steps must be between 1 and 100,000,000");
  EXPECT_EQ(message({.max_steps = ~std::uint64_t{0}}),
            "max_steps must be between 1 and 100,000,000");
  EXPECT_EQ(message({.hang_seconds = 0}), "hang_seconds must be positive");
  EXPECT_EQ(message({.hang_seconds = -1}), "hang_seconds must be positive");
}

TEST(Explore, ExploringInsideARunIsRefused) {
  const ExploreResult result = explore({.runs = 1}, [] {
    const ExploreResult inner = explore({.runs = 1}, [] {});
    snag::fail(inner.message);
  });
  EXPECT_EQ(result.message.find("snag::explore was called inside a controlled run"), 0u)
      << result.message;
}

// ---- What surrounds the runs. ----

TEST(Explore, ThreadsLeftRunningComeToTheirEnd) {
  const ExploreResult result = explore({.runs = 300}, [] {
    auto count = std::make_shared<std::atomic<int>>(0);
    for (int i = 0; i < 3; ++i) std::thread([count] { ++*count; }).detach();
  });
  EXPECT_TRUE(result) << result.report();
  EXPECT_EQ(result.runs, 300u);
}

TEST(Explore, AThreadLeftBehindThatWaitsForEverIsADeadlock) {
  const ExploreResult result = explore({}, [] {
    static std::mutex mutex;
    mutex.lock();
    std::thread([] { mutex.lock(); }).detach();
  });
  EXPECT_EQ(result.kind, "deadlock") << result.report();
}

TEST(Explore, PooledThreadsHaveFreshThreadLocals) {
  const ExploreResult result = explore({.runs = 200}, [] {
    static thread_local int used = 0;
    auto body = [] {
      assert(used == 0);
      used = 1;
    };
    std::thread a(body), b(body);
    a.join();
    b.join();
  });
  EXPECT_TRUE(result) << result.report();
}

TEST(Explore, NothingOfTheRunsHappensInTheTestProcess) {
  int calls = 0;
  EXPECT_TRUE(explore({.runs = 10}, [&] { ++calls; }));
  EXPECT_EQ(calls, 0);
  EXPECT_FALSE(snag_is_controlled());
  std::atomic<bool> controlled = false;
  std::thread([&] { controlled = snag_is_controlled(); }).join();
  EXPECT_FALSE(controlled);
}

TEST(Explore, OtherThreadsOfTheTestProcessDoNoHarm) {
  std::atomic<bool> stop = false;
  std::thread busy([&] {
    while (!stop) std::make_unique<std::array<char, 100>>();
  });
  EXPECT_TRUE(explore({.runs = 200}, correct_update));
  EXPECT_EQ(explore({}, lost_update).kind, "assert");
  stop = true;
  busy.join();
}

TEST(Explore, SleepsCostNoTime) {
  const auto begin = std::chrono::steady_clock::now();
  const ExploreResult result = explore({.runs = 100}, [] {
    std::thread other([] { std::this_thread::sleep_for(std::chrono::hours(1)); });
    other.join();
  });
  EXPECT_TRUE(result) << result.report();
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
}

}  // namespace
