// A fixed number of threads that run what is submitted; results come by futures.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "waiting.h"

class ThreadPool {
 public:
  explicit ThreadPool(int threads) {
    for (int i = 0; i < threads; ++i) threads_.emplace_back([this] { work(); });
  }

  ~ThreadPool() { shutdown(); }

  // Throws std::runtime_error after a shutdown.
  template <class F>
  std::future<std::invoke_result_t<F>> submit(F function) {
    auto task =
        std::make_shared<std::packaged_task<std::invoke_result_t<F>()>>(std::move(function));
    auto result = task->get_future();
    std::lock_guard lock(mutex_);
    if (closed_) throw std::runtime_error("the pool is shut down");
    queue_.push_back([task] { (*task)(); });
    has_work_.notify_one();
    return result;
  }

  // Waits until nothing is queued and nothing runs.
  void wait_idle() {
    std::unique_lock lock(mutex_);
    Waiting waiting(waiting_for_idle_);
    idle_.wait(lock, [this] { return queue_.empty() && running_ == 0; });
  }

  // Takes nothing more, runs what is queued, and waits for it.
  void shutdown() {
    close([] {});
  }

  // Takes nothing more, drops what is queued (their futures are broken), and waits for what runs.
  void shutdown_now() {
    close([this] { queue_.clear(); });
  }

  std::size_t queued() const {
    std::lock_guard lock(mutex_);
    return queue_.size();
  }

  bool closed() const {
    std::lock_guard lock(mutex_);
    return closed_;
  }

  int waiting_for_idle() const { return waiting_for_idle_; }

 private:
  template <class F>
  void close(F&& at_closing) {
    {
      std::lock_guard lock(mutex_);
      closed_ = true;
      at_closing();
      has_work_.notify_all();
    }
    for (std::thread& thread : threads_) {
      if (thread.joinable()) thread.join();
    }
  }

  void work() {
    std::unique_lock lock(mutex_);
    for (;;) {
      has_work_.wait(lock, [this] { return closed_ || !queue_.empty(); });
      if (queue_.empty()) return;
      std::function<void()> task = std::move(queue_.front());
      queue_.pop_front();
      ++running_;
      lock.unlock();
      task();
      task = nullptr;
      lock.lock();
      --running_;
      if (queue_.empty() && running_ == 0) idle_.notify_all();
    }
  }

  mutable std::mutex mutex_;
  std::condition_variable has_work_, idle_;
  std::deque<std::function<void()>> queue_;
  int running_ = 0;
  bool closed_ = false;
  std::atomic<int> waiting_for_idle_ = 0;
  std::vector<std::thread> threads_;
};
