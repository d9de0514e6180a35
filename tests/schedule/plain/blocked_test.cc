// Every way to wait counts as blocked, and only as long as the thread waits.
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <time.h>

#include <chrono>
#include <condition_variable>
#include <future>
#include <mutex>
#include <shared_mutex>
#include <thread>
#if __cplusplus >= 202002L
#include <barrier>
#include <latch>
#include <semaphore>
#endif

#include "support.h"

#if defined(__SANITIZE_THREAD__)
#define BUILT_WITH_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define BUILT_WITH_TSAN 1
#endif
#endif

using namespace std::chrono_literals;

TEST(Blocked, Mutex) {
  std::mutex mutex;
  mutex.lock();
  expect_blocked([&] { std::lock_guard lock(mutex); }, [&] { mutex.unlock(); });
}
TEST(Blocked, RecursiveMutex) {
  std::recursive_mutex mutex;
  mutex.lock();
  mutex.lock();
  mutex.unlock();
  expect_blocked([&] { std::lock_guard lock(mutex); }, [&] { mutex.unlock(); });
}
#ifndef BUILT_WITH_TSAN  // it does not know pthread_mutex_clocklock, with or without Snag
TEST(Blocked, TimedMutex) {
  std::timed_mutex mutex;
  mutex.lock();
  expect_blocked(
      [&] {
        EXPECT_TRUE(mutex.try_lock_for(1h));
        mutex.unlock();
      },
      [&] { mutex.unlock(); });
}
#endif
TEST(Blocked, TimedMutexBySystemClock) {
  std::timed_mutex mutex;
  mutex.lock();
  expect_blocked(
      [&] {
        EXPECT_TRUE(mutex.try_lock_until(std::chrono::system_clock::now() + 1h));
        mutex.unlock();
      },
      [&] { mutex.unlock(); });
}
TEST(Blocked, SharedMutexReader) {
  std::shared_mutex mutex;
  mutex.lock();
  expect_blocked([&] { std::shared_lock lock(mutex); }, [&] { mutex.unlock(); });
}
TEST(Blocked, SharedMutexWriter) {
  std::shared_mutex mutex;
  mutex.lock_shared();
  expect_blocked([&] { std::lock_guard lock(mutex); }, [&] { mutex.unlock_shared(); });
}
TEST(Blocked, SharedTimedMutex) {
  std::shared_timed_mutex mutex;
  mutex.lock();
  expect_blocked([&] { std::shared_lock lock(mutex, 1h); }, [&] { mutex.unlock(); });
  mutex.lock_shared();
  expect_blocked([&] { std::unique_lock lock(mutex, 1h); }, [&] { mutex.unlock_shared(); });
}

TEST(Blocked, ConditionVariable) {
  std::mutex mutex;
  std::condition_variable condition;
  bool ready = false;
  expect_blocked(
      [&] {
        std::unique_lock lock(mutex);
        condition.wait(lock, [&] { return ready; });
      },
      [&] {
        std::lock_guard lock(mutex);
        ready = true;
        condition.notify_one();
      });
}
TEST(Blocked, ConditionVariableWithTimeLimit) {
  std::mutex mutex;
  std::condition_variable condition;
  bool ready = false;
  for (int clock = 0; clock < 2; ++clock) {
    ready = false;
    expect_blocked(
        [&] {
          std::unique_lock lock(mutex);
          if (clock == 0)
            condition.wait_for(lock, 1h, [&] { return ready; });
          else
            condition.wait_until(lock, std::chrono::system_clock::now() + 1h,
                                 [&] { return ready; });
        },
        [&] {
          std::lock_guard lock(mutex);
          ready = true;
          condition.notify_all();
        });
  }
}
// The signal comes without the mutex, and no thread checks twice: it must not be too early.
TEST(Blocked, ConditionVariableSignalledWithoutMutex) {
  std::mutex mutex;
  std::condition_variable condition;
  for (int i = 0; i < 200; ++i) {
    expect_blocked(
        [&] {
          std::unique_lock lock(mutex);
          condition.wait(lock);
        },
        [&] { condition.notify_one(); });
  }
}
// Who is in the condition variable does not hold its mutex.
TEST(Blocked, ConditionVariableHasGivenItsMutexBack) {
  std::mutex mutex;
  std::condition_variable condition;
  for (int i = 0; i < 200; ++i) {
    expect_blocked(
        [&] {
          std::unique_lock lock(mutex);
          condition.wait(lock);
        },
        [&] {
          const bool locked = mutex.try_lock();
          EXPECT_TRUE(locked);
          if (locked) mutex.unlock();
          condition.notify_one();
        });
  }
}
TEST(Blocked, ConditionVariableAny) {
  std::shared_mutex mutex;
  std::condition_variable_any condition;
  bool ready = false;
  expect_blocked(
      [&] {
        std::shared_lock lock(mutex);
        condition.wait(lock, [&] { return ready; });
      },
      [&] {
        std::lock_guard lock(mutex);
        ready = true;
        condition.notify_one();
      });
}

TEST(Blocked, PosixSemaphore) {
  sem_t semaphore;
  sem_init(&semaphore, 0, 0);
  expect_blocked([&] { sem_wait(&semaphore); }, [&] { sem_post(&semaphore); });
  timespec later{};
  clock_gettime(CLOCK_REALTIME, &later);
  later.tv_sec += 3600;
  expect_blocked([&] { sem_timedwait(&semaphore, &later); }, [&] { sem_post(&semaphore); });
  sem_destroy(&semaphore);
}
TEST(Blocked, PosixBarrier) {
  pthread_barrier_t barrier;
  pthread_barrier_init(&barrier, nullptr, 2);
  for (int i = 0; i < 3; ++i) {
    expect_blocked([&] { pthread_barrier_wait(&barrier); },
                   [&] { pthread_barrier_wait(&barrier); });
  }
  pthread_barrier_destroy(&barrier);
}

#if __cplusplus >= 202002L
TEST(Blocked, Semaphore) {
  std::counting_semaphore<> semaphore(0);
  expect_blocked([&] { semaphore.acquire(); }, [&] { semaphore.release(); });
  std::binary_semaphore binary(0);
  expect_blocked([&] { EXPECT_TRUE(binary.try_acquire_for(1h)); }, [&] { binary.release(); });
}
TEST(Blocked, Latch) {
  std::latch latch(1);
  expect_blocked([&] { latch.wait(); }, [&] { latch.count_down(); });
}
TEST(Blocked, Barrier) {
  std::barrier barrier(2);
  expect_blocked([&] { barrier.arrive_and_wait(); }, [&] { barrier.arrive_and_wait(); });
}
TEST(Blocked, AtomicWait) {
  std::atomic<int> word{0};
  expect_blocked([&] { word.wait(0); },
                 [&] {
                   word = 1;
                   word.notify_all();
                 });
  std::atomic<char> byte{0};  // waits on another word than itself
  expect_blocked([&] { byte.wait(0); },
                 [&] {
                   byte = 1;
                   byte.notify_one();
                 });
}
#endif

TEST(Blocked, Future) {
  std::promise<int> promise;
  auto future = promise.get_future();
  expect_blocked([&] { EXPECT_EQ(future.get(), 7); }, [&] { promise.set_value(7); });
}
TEST(Blocked, FutureWithTimeLimit) {
  std::promise<void> promise;
  auto future = promise.get_future();
  expect_blocked([&] { EXPECT_EQ(future.wait_for(1h), std::future_status::ready); },
                 [&] { promise.set_value(); });
}
TEST(Blocked, Async) {
  std::promise<void> promise;
  auto gate = promise.get_future();
  auto future = std::async(std::launch::async, [&] { gate.get(); });
  expect_blocked([&] { future.get(); }, [&] { promise.set_value(); });
}
TEST(Blocked, Join) {
  std::promise<void> promise;
  auto gate = promise.get_future();
  std::thread other([&] { gate.get(); });
  expect_blocked([&] { other.join(); }, [&] { promise.set_value(); });
}
TEST(Blocked, LocalStatic) {
  std::promise<void> entered, leave;
  std::thread first;
  auto initialise = [&] {
    entered.set_value();
    leave.get_future().get();
    return 1;
  };
  auto use = [&](auto make) {
    static const int value = make();
    return value;
  };
  first = std::thread([&] { use(std::function<int()>(initialise)); });
  entered.get_future().get();
  expect_blocked([&] { use(std::function<int()>([] { return 2; })); }, [&] { leave.set_value(); });
  first.join();
}

TEST(Blocked, Sleep) {
  std::atomic<bool> enough{false};
  const Failures failures;
  {
    snag::Schedule schedule("[sleeps] -> notices");
    std::thread sleeper([&] {
      SNAG_EVENT(sleeps);
      while (!enough) std::this_thread::sleep_for(1ms);
    });
    SNAG_EVENT(notices);
    enough = true;
    sleeper.join();
  }
  EXPECT_EQ(Failures::text(), "");
}
TEST(Blocked, SleepInterrupted) {
  struct sigaction action {};
  action.sa_handler = [](int) {};
  sigaction(SIGUSR1, &action, nullptr);
  std::atomic<pthread_t> handle{};
  const timespec hour{3600, 0};
  expect_blocked(
      [&] {
        handle = pthread_self();
        nanosleep(&hour, nullptr);
      },
      [&] { pthread_kill(handle, SIGUSR1); });
  expect_blocked(
      [&] {
        handle = pthread_self();
        clock_nanosleep(CLOCK_MONOTONIC, 0, &hour, nullptr);
      },
      [&] { pthread_kill(handle, SIGUSR1); });
}

// Threads that went to wait before there was a schedule are known, too.
TEST(Blocked, BeforeTheSchedule) {
  const Failures failures;
  std::mutex mutex;
  std::condition_variable condition;
  int jobs = 0;
  std::atomic<pid_t> tid{0};
  std::thread worker([&] {
    SNAG_THREAD(worker);
    tid = own_tid();
    std::unique_lock lock(mutex);
    condition.wait(lock, [&] { return jobs == 1; });
    SNAG_EVENT(worked);
    condition.wait(lock, [&] { return jobs == 2; });
  });
  while (tid == 0) sched_yield();
  ASSERT_TRUE(falls_asleep(tid));
  {
    snag::Schedule schedule("block@worker -> gives, [worked] -> ends");
    SNAG_EVENT(gives);
    {
      std::lock_guard lock(mutex);
      jobs = 1;
    }
    condition.notify_one();
    SNAG_EVENT(ends);
    {
      std::lock_guard lock(mutex);
      jobs = 2;
    }
    condition.notify_one();
    worker.join();
  }
  EXPECT_EQ(Failures::text(), "");
}

// A thread that runs is not blocked, and neither is one that waits for the schedule.
TEST(Blocked, NotWhileRunning) {
  const Failures failures;
  std::atomic<bool> over{false};
  {
    snag::ScheduleOptions options;
    options.time_limit = 0.2;
    snag::Schedule schedule("[runs] -> notices", options);
    std::thread runner([&] {
      SNAG_EVENT(runs);
      while (!over) sched_yield();
    });
    SNAG_EVENT(notices);
    over = true;
    runner.join();
  }
  EXPECT_NE(Failures::text().find("thread 1 is not blocked after runs"), std::string::npos)
      << Failures::text();
}
// A lock whose holder is about to give it back: what the schedule is about comes behind it.
TEST(Blocked, NotWhileTheHolderOfTheLockRuns) {
  const Failures failures;
  std::mutex mutex;
  std::atomic<pid_t> tid{0};
  std::atomic<bool> had_the_lock{false}, looks{false};
  std::promise<void> noticed;
  const auto begin = std::chrono::steady_clock::now();
  {
    snag::Schedule schedule("[waits] -> notices");
    mutex.lock();
    std::thread waiter([&] {
      tid = own_tid();
      SNAG_EVENT(waits);
      mutex.lock();
      mutex.unlock();
      had_the_lock = true;
      noticed.get_future().wait();
    });
    std::thread watcher([&] {
      looks = true;
      SNAG_EVENT(notices);
      // (A lock that is not released for a second counts; a slow machine may take that long.)
      EXPECT_TRUE(had_the_lock || std::chrono::steady_clock::now() - begin > 1s);
      noticed.set_value();
    });
    while (tid == 0 || !looks) sched_yield();
    // Runs, and has the lock, while the other one sleeps: long enough to be noticed.
    EXPECT_TRUE(falls_asleep(tid));
    for (int i = 0; i < 100; ++i) sched_yield();
    mutex.unlock();
    watcher.join();
    waiter.join();
  }
  EXPECT_EQ(Failures::text(), "");
}
TEST(Blocked, NotWhileWaitingForTheSchedule) {
  const Failures failures;
  {
    snag::Schedule schedule("[first] -> notices, notices -> second");
    std::thread other([&] {
      SNAG_THREAD(other);
      SNAG_EVENT(first);
      SNAG_EVENT(second);
    });
    SNAG_EVENT(notices);
    other.join();
  }
  EXPECT_NE(Failures::text().find("cannot be met: all threads wait"), std::string::npos)
      << Failures::text();
}
