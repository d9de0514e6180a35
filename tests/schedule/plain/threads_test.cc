// Threads: their names, their beginnings and ends, their exceptions.
#include <pthread.h>

#include <condition_variable>
#include <future>
#include <mutex>
#include <stdexcept>
#include <vector>

#include "support.h"

namespace {

bool says(const std::string& part) { return Failures::text().find(part) != std::string::npos; }

struct Special : std::exception {
  const char* what() const noexcept override { return "full"; }
};

}  // namespace

TEST(Threads, EventsOfOneOfThem) {
  for (int i = 0; i < 50; ++i) {
    std::atomic<int> first{0};
    snag::Schedule schedule("put@b -> put@a");
    const auto put = [&](int number) {
      SNAG_EVENT(put);
      int none = 0;
      first.compare_exchange_strong(none, number);
    };
    std::thread a = snag::thread("a", put, 1);
    std::thread b([&] {
      SNAG_THREAD(b);
      int none = 0;
      first.compare_exchange_strong(none, 2);
      put(2);
    });
    a.join();
    b.join();
    EXPECT_EQ(first, 2);
    EXPECT_TRUE(schedule.finish());
  }
}

TEST(Threads, StartAndEnd) {
  for (int i = 0; i < 50; ++i) {
    std::vector<int> order;
    snag::Schedule schedule("ready -> start@late, end@late -> after");
    std::thread late([&] {
      SNAG_THREAD(late);
      order.push_back(2);
    });
    order.push_back(1);
    SNAG_EVENT(ready);
    SNAG_EVENT(after);
    order.push_back(3);
    late.join();
    EXPECT_EQ(order, (std::vector<int>{1, 2, 3}));
    EXPECT_TRUE(schedule.finish());
  }
}

TEST(Threads, EndWaits) {
  snag::Schedule schedule("released -> end@worker");
  std::atomic<bool> is_released{false};
  struct AtEnd {
    std::atomic<bool>& flag;
    ~AtEnd() { EXPECT_TRUE(flag); }
  };
  std::thread worker([&] {
    SNAG_THREAD(worker);
    thread_local AtEnd at_end{is_released};
    (void)at_end;
  });
  is_released = true;
  SNAG_EVENT(released);
  worker.join();
  EXPECT_TRUE(schedule.finish());
}

TEST(Threads, NamedByPthread) {
  snag::Schedule schedule("start@byself && start@byother -> on");
  std::promise<void> named;
  std::thread self([] { pthread_setname_np(pthread_self(), "byself"); });
  std::thread other([&] { named.get_future().get(); });
  pthread_setname_np(other.native_handle(), "byother");
  named.set_value();
  SNAG_EVENT(on);
  self.join();
  other.join();
  EXPECT_TRUE(schedule.finish());
}

TEST(Threads, BlockAndUnblockAsEvents) {
  for (int i = 0; i < 50; ++i) {
    const Failures failures;
    std::mutex mutex;
    std::condition_variable condition;
    int turn = 0;
    snag::Schedule schedule(
        "block@waiter -> first, block@waiter#2 -> second, unblock@waiter -> between");
    std::thread waiter([&] {
      SNAG_THREAD(waiter);
      std::unique_lock lock(mutex);
      condition.wait(lock, [&] { return turn == 1; });
      turn = 2;
      condition.wait(lock, [&] { return turn == 3; });
    });
    SNAG_EVENT(first);
    {
      std::lock_guard lock(mutex);
      turn = 1;
    }
    condition.notify_one();
    SNAG_EVENT(between);
    SNAG_EVENT(second);
    {
      std::lock_guard lock(mutex);
      EXPECT_EQ(turn, 2);
      turn = 3;
    }
    condition.notify_one();
    waiter.join();
    schedule.finish();
    EXPECT_EQ(Failures::text(), "");
  }
}

// On the right, they hold the thread back before it waits, and before it returns from there.
TEST(Threads, BlockAndUnblockOnTheRight) {
  for (int i = 0; i < 50; ++i) {
    const Failures failures;
    std::mutex mutex;
    std::atomic<bool> is_allowed{false}, is_open{false};
    snag::Schedule schedule(
        "allowed -> block@waiter, [wants] -> gives, gives -> open, open -> unblock@waiter");
    mutex.lock();
    std::thread waiter([&] {
      SNAG_THREAD(waiter);
      SNAG_EVENT(wants);
      mutex.lock();
      EXPECT_TRUE(is_open);
      mutex.unlock();
    });
    is_allowed = true;
    SNAG_EVENT(allowed);
    SNAG_EVENT(gives);
    EXPECT_TRUE(is_allowed);
    mutex.unlock();
    is_open = true;
    SNAG_EVENT(open);
    waiter.join();
    schedule.finish();
    EXPECT_EQ(Failures::text(), "");
  }
}

TEST(Threads, ExceptionsFailTheTest) {
  const Failures failures;
  {
    snag::Schedule schedule("thrown -> noticed");
    std::thread thrower([] {
      SNAG_THREAD(thrower);
      SNAG_EVENT(thrown);
      throw std::runtime_error("full");
    });
    std::thread special([] { throw Special(); });
    std::thread number([] { throw 7; });
    SNAG_EVENT(noticed);
    thrower.join();
    special.join();
    number.join();
  }
  EXPECT_TRUE(says("thread thrower ended with an exception: std::runtime_error: full"))
      << Failures::text();
  EXPECT_TRUE(says("Special: full")) << Failures::text();
  EXPECT_TRUE(says("ended with an exception: int")) << Failures::text();
}

TEST(Threads, ExitAndCancellation) {
  const Failures failures;
  snag::Schedule schedule("end@exits && end@cancelled -> on, [waits] -> cancels");
  std::thread exits([] {
    SNAG_THREAD(exits);
    pthread_exit(nullptr);
  });
  std::mutex mutex;
  std::condition_variable_any condition;
  pthread_cond_t raw = PTHREAD_COND_INITIALIZER;
  pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  struct Objects {
    pthread_cond_t* condition;
    pthread_mutex_t* mutex;
  } objects{&raw, &lock};
  pthread_t cancelled;
  pthread_create(
      &cancelled, nullptr,
      [](void* argument) -> void* {
        auto* shared = static_cast<Objects*>(argument);
        SNAG_THREAD(cancelled);
        pthread_mutex_lock(shared->mutex);
        pthread_cleanup_push(
            [](void* mutex) { pthread_mutex_unlock(static_cast<pthread_mutex_t*>(mutex)); },
            shared->mutex);
        SNAG_EVENT(waits);
        for (;;) pthread_cond_wait(shared->condition, shared->mutex);
        pthread_cleanup_pop(1);
      },
      &objects);
  SNAG_EVENT(cancels);
  pthread_cancel(cancelled);
  void* result = nullptr;
  pthread_join(cancelled, &result);
  EXPECT_EQ(result, PTHREAD_CANCELED);
  SNAG_EVENT(on);
  exits.join();
  schedule.finish();
  EXPECT_EQ(Failures::text(), "");
}

TEST(Threads, DetachedOnes) {
  const Failures failures;
  snag::Schedule schedule("end@free -> on");
  std::thread([] { SNAG_THREAD(free); }).detach();
  SNAG_EVENT(on);
  schedule.finish();
  EXPECT_EQ(Failures::text(), "");
}

TEST(Threads, Many) {
  const Failures failures;
  for (int round = 0; round < 5; ++round) {
    snag::Schedule schedule("go -> run#*, run#64 -> done");
    std::atomic<int> running{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < 64; ++i) {
      threads.emplace_back([&] {
        SNAG_EVENT(run);
        ++running;
      });
    }
    EXPECT_EQ(running, 0);
    SNAG_EVENT(go);
    SNAG_EVENT(done);
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(running, 64);
  }
  EXPECT_EQ(Failures::text(), "");
}
