// Expect: clean
// Coroutines that move to a thread pool by `co_await pool.Schedule()`, twice each; a latch says
// when all are done.
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <coroutine>
#include <deque>
#include <exception>
#include <latch>
#include <mutex>
#include <thread>
#include <vector>

struct Detached {
  struct promise_type {
    Detached get_return_object() { return {}; }
    std::suspend_never initial_suspend() { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() { std::terminate(); }
  };
};

class Pool {
 public:
  Pool() {
    for (int i = 0; i < 2; ++i) threads_.emplace_back([this] { Work(); });
  }
  ~Pool() {
    {
      std::lock_guard lock(mutex_);
      closed_ = true;
    }
    cv_.notify_all();
    for (auto& thread : threads_) thread.join();
  }
  auto Schedule() {
    struct Awaiter : std::suspend_always {
      Pool* pool;
      void await_suspend(std::coroutine_handle<> handle) { pool->Push(handle); }
    };
    return Awaiter{{}, this};
  }

 private:
  void Push(std::coroutine_handle<> handle) {
    std::lock_guard lock(mutex_);
    ready_.push_back(handle);
    cv_.notify_one();
  }
  void Work() {
    std::unique_lock lock(mutex_);
    for (;;) {
      cv_.wait(lock, [this] { return closed_ || !ready_.empty(); });
      if (ready_.empty()) return;
      auto handle = ready_.front();
      ready_.pop_front();
      lock.unlock();
      handle.resume();
      lock.lock();
    }
  }
  std::mutex mutex_;
  std::condition_variable cv_;
  std::deque<std::coroutine_handle<>> ready_;
  bool closed_ = false;
  std::vector<std::thread> threads_;
};

Detached Count(Pool& pool, std::atomic<int>& sum, std::latch& done) {
  int local = 1;
  co_await pool.Schedule();
  local += 10;
  co_await pool.Schedule();
  sum += local;
  done.count_down();
}

int main() {
  std::atomic<int> sum = 0;
  std::latch done(3);
  Pool pool;
  for (int i = 0; i < 3; ++i) Count(pool, sum, done);
  done.wait();
  assert(sum == 33);
}
