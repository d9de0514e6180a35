// The test suite of a thread pool, as such suites are: each of several hundred tests makes a pool
// of new threads, hands it a few tasks and destroys it. What it costs is mostly that of threads
// which live for a moment.
#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <vector>

namespace {

class Pool {
 public:
  explicit Pool(int threads) {
    for (int i = 0; i < threads; ++i) workers_.emplace_back([this] { work(); });
  }
  ~Pool() {
    {
      std::lock_guard<std::mutex> guard(mutex_);
      stops_ = true;
    }
    changed_.notify_all();
    for (std::thread& worker : workers_) worker.join();
  }

  template <class F>
  auto submit(F f) {
    using Result = decltype(f());
    auto task = std::make_shared<std::packaged_task<Result()>>(std::move(f));
    std::future<Result> result = task->get_future();
    {
      std::lock_guard<std::mutex> guard(mutex_);
      tasks_.emplace_back([task] { (*task)(); });
    }
    changed_.notify_one();
    return result;
  }

  template <class F>
  void for_each(int count, F f) {
    std::vector<std::future<void>> parts;
    for (int i = 0; i < count; ++i) parts.push_back(submit([f, i] { f(i); }));
    for (auto& part : parts) part.get();
  }

  void wait_idle() {
    std::unique_lock<std::mutex> lock(mutex_);
    idle_.wait(lock, [this] { return tasks_.empty() && busy_ == 0; });
  }

 private:
  void work() {
    std::unique_lock<std::mutex> lock(mutex_);
    for (;;) {
      changed_.wait(lock, [this] { return stops_ || !tasks_.empty(); });
      if (tasks_.empty()) return;
      std::function<void()> task = std::move(tasks_.front());
      tasks_.pop_front();
      ++busy_;
      lock.unlock();
      task();
      lock.lock();
      --busy_;
      if (tasks_.empty() && busy_ == 0) idle_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_, idle_;
  std::deque<std::function<void()>> tasks_;
  std::vector<std::thread> workers_;
  int busy_ = 0;
  bool stops_ = false;
};

// How many threads, and which repetition.
class PoolTest : public testing::TestWithParam<std::tuple<int, int>> {
 protected:
  int threads() const { return std::get<0>(GetParam()); }
};

TEST_P(PoolTest, StartsAndStops) { Pool pool(threads()); }

TEST_P(PoolTest, ReturnsValues) {
  Pool pool(threads());
  std::vector<std::future<int>> results;
  for (int i = 0; i < 32; ++i) results.push_back(pool.submit([i] { return i * i; }));
  for (int i = 0; i < 32; ++i) EXPECT_EQ(results[static_cast<std::size_t>(i)].get(), i * i);
}

TEST_P(PoolTest, CountsAtomically) {
  std::atomic<int> count{0};
  Pool pool(threads());
  for (int i = 0; i < 50; ++i) pool.submit([&] { ++count; });
  pool.wait_idle();
  EXPECT_EQ(count, 50);
}

TEST_P(PoolTest, FinishesWhatIsQueued) {
  std::atomic<int> count{0};
  {
    Pool pool(threads());
    for (int i = 0; i < 50; ++i) pool.submit([&] { count.fetch_add(1); });
  }
  EXPECT_EQ(count, 50);
}

TEST_P(PoolTest, HandsOnExceptions) {
  Pool pool(threads());
  auto result = pool.submit([]() -> int { throw std::runtime_error("no"); });
  EXPECT_THROW(result.get(), std::runtime_error);
}

TEST_P(PoolTest, SubmitsFromWithin) {
  Pool pool(threads());
  std::promise<int> inner;
  auto outer = pool.submit([&] { pool.submit([&] { inner.set_value(7); }); });
  outer.get();
  EXPECT_EQ(inner.get_future().get(), 7);
}

TEST_P(PoolTest, SumsInParts) {
  Pool pool(threads());
  std::vector<int> numbers(4000);
  std::iota(numbers.begin(), numbers.end(), 0);
  std::vector<long> sums(8);
  pool.for_each(8, [&](int part) {
    for (int i = part * 500; i < (part + 1) * 500; ++i)
      sums[static_cast<std::size_t>(part)] += numbers[static_cast<std::size_t>(i)];
  });
  EXPECT_EQ(std::accumulate(sums.begin(), sums.end(), 0L), 3999L * 4000 / 2);
}

TEST_P(PoolTest, TakesFromSeveralProducers) {
  std::atomic<int> count{0};
  Pool pool(threads());
  std::vector<std::thread> producers;
  for (int i = 0; i < 4; ++i) {
    producers.emplace_back([&] {
      for (int k = 0; k < 10; ++k) pool.submit([&] { ++count; });
    });
  }
  for (std::thread& producer : producers) producer.join();
  pool.wait_idle();
  EXPECT_EQ(count, 40);
}

INSTANTIATE_TEST_SUITE_P(All, PoolTest,
                         testing::Combine(testing::Values(1, 2, 4, 8, 16, 32),
                                          testing::Range(0, 40)));

}  // namespace
