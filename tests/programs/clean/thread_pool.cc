// Expect: clean
// A small thread pool: tasks submit tasks, results come through futures, the destructor drains the
// queue.
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

class Pool {
 public:
  explicit Pool(int size) {
    for (int i = 0; i < size; ++i) workers_.emplace_back([this] { Work(); });
  }
  ~Pool() {
    {
      std::lock_guard lock(mutex_);
      closing_ = true;
    }
    cv_.notify_all();
    for (auto& worker : workers_) worker.join();
  }
  template <class F>
  auto Submit(F f) {
    auto task = std::make_shared<std::packaged_task<decltype(f())()>>(std::move(f));
    std::lock_guard lock(mutex_);
    tasks_.push_back([task] { (*task)(); });
    cv_.notify_one();
    return task->get_future();
  }

 private:
  void Work() {
    std::unique_lock lock(mutex_);
    for (;;) {
      cv_.wait(lock, [&] { return closing_ || !tasks_.empty(); });
      if (tasks_.empty()) return;
      auto task = std::move(tasks_.front());
      tasks_.pop_front();
      lock.unlock();
      task();
      lock.lock();
    }
  }
  std::mutex mutex_;
  std::condition_variable cv_;
  std::deque<std::function<void()>> tasks_;
  bool closing_ = false;
  std::vector<std::thread> workers_;
};

int main() {
  std::atomic<int> ran = 0;
  {
    Pool pool(2);
    auto first = pool.Submit([&] {
      pool.Submit([&] { ++ran; });
      return 20;
    });
    auto second = pool.Submit([] { return 22; });
    assert(first.get() + second.get() == 42);
    pool.Submit([&] { ++ran; });
  }
  assert(ran == 2);
}
