// Who may have been woken: exactly those who sleep on count as blocked.
#include <semaphore.h>

#include <condition_variable>
#include <mutex>
#include <vector>

#include "support.h"

// One of two is woken, and it is not known which: the other one still counts as blocked.
TEST(Wakeups, OneOfTwo) {
  for (int i = 0; i < 200; ++i) {
    const Failures failures;
    sem_t semaphore;
    sem_init(&semaphore, 0, 0);
    snag::Schedule schedule(
        "[a.waits] && [b.waits] -> posts, over && ([a.waits] || [b.waits]) -> posts.again");
    std::atomic<int> woken{0};
    std::thread a([&] {
      SNAG_EVENT(a.waits);
      sem_wait(&semaphore);
      ++woken;
      SNAG_EVENT(over);
    });
    std::thread b([&] {
      SNAG_EVENT(b.waits);
      sem_wait(&semaphore);
      ++woken;
      SNAG_EVENT(over);
    });
    SNAG_EVENT(posts);
    sem_post(&semaphore);
    SNAG_EVENT(posts.again);
    EXPECT_EQ(woken, 1);
    sem_post(&semaphore);
    a.join();
    b.join();
    schedule.finish();
    EXPECT_EQ(Failures::text(), "");
    sem_destroy(&semaphore);
  }
}

// Woken, but its condition does not hold: it waits again.
TEST(Wakeups, InVain) {
  for (int i = 0; i < 200; ++i) {
    const Failures failures;
    std::mutex mutex;
    std::condition_variable condition;
    bool ready = false;
    int looks = 0;
    snag::Schedule schedule("[waits] -> first, block@waiter#2 && [waits] -> second");
    std::thread waiter([&] {
      SNAG_THREAD(waiter);
      std::unique_lock lock(mutex);
      SNAG_EVENT(waits);
      condition.wait(lock, [&] {
        ++looks;
        return ready;
      });
    });
    SNAG_EVENT(first);
    condition.notify_all();
    SNAG_EVENT(second);
    {
      std::lock_guard lock(mutex);
      EXPECT_EQ(looks, 2);
      ready = true;
    }
    condition.notify_all();
    waiter.join();
    schedule.finish();
    EXPECT_EQ(Failures::text(), "");
  }
}

// Signalled while the mutex is held: it leaves the condition variable and waits for the mutex,
// inside libc. It is blocked all the time.
TEST(Wakeups, FromConditionVariableToMutex) {
  for (int i = 0; i < 200; ++i) {
    const Failures failures;
    std::mutex mutex;
    std::condition_variable condition;
    bool ready = false;
    std::atomic<bool> returned{false};
    snag::Schedule schedule("[waits] -> wakes, [waits] -> gives.back, ![waits] -> sees.it.run");
    std::atomic<bool> over{false};
    std::thread waiter([&] {
      std::unique_lock lock(mutex);
      SNAG_EVENT(waits);
      condition.wait(lock, [&] { return ready; });
      lock.unlock();
      returned = true;
      while (!over) sched_yield();
    });
    SNAG_EVENT(wakes);
    std::unique_lock lock(mutex);
    ready = true;
    condition.notify_one();
    SNAG_EVENT(gives.back);
    EXPECT_FALSE(returned);
    lock.unlock();
    SNAG_EVENT(sees.it.run);
    over = true;
    waiter.join();
    schedule.finish();
    EXPECT_EQ(Failures::text(), "");
  }
}

// A mutex goes from one to the next; each holder sees that the others wait.
TEST(Wakeups, MutexHandedOn) {
  for (int i = 0; i < 100; ++i) {
    const Failures failures;
    std::mutex mutex;
    snag::Schedule schedule("[a.wants] && [b.wants] && [c.wants] -> gives, got#2 -> seen.two");
    std::atomic<int> got{0};
    mutex.lock();
    const auto take = [&] {
      std::lock_guard lock(mutex);
      ++got;
      SNAG_EVENT(got);
    };
    std::thread a([&] {
      SNAG_EVENT(a.wants);
      take();
    });
    std::thread b([&] {
      SNAG_EVENT(b.wants);
      take();
    });
    std::thread c([&] {
      SNAG_EVENT(c.wants);
      take();
    });
    SNAG_EVENT(gives);
    EXPECT_EQ(got, 0);
    mutex.unlock();
    SNAG_EVENT(seen.two);
    EXPECT_GE(got, 2);
    a.join();
    b.join();
    c.join();
    schedule.finish();
    EXPECT_EQ(Failures::text(), "");
  }
}

// A wait ends by its time limit: from then on the thread is not blocked.
TEST(Wakeups, ByTimeLimit) {
  const Failures failures;
  std::mutex mutex;
  std::condition_variable condition;
  std::atomic<bool> over{false};
  snag::Schedule schedule("[waits] -> sees, timed.out && ![waits] -> goes.on");
  std::thread waiter([&] {
    std::unique_lock lock(mutex);
    SNAG_EVENT(waits);
    while (!over) condition.wait_for(lock, std::chrono::milliseconds(1));
    SNAG_EVENT(timed.out);
  });
  SNAG_EVENT(sees);
  over = true;
  SNAG_EVENT(goes.on);
  waiter.join();
  schedule.finish();
  EXPECT_EQ(Failures::text(), "");
}
