// Runs tasks one at a time, in the order in which they came, on a thread of its own. Tasks can be
// cancelled until they start. Built of semaphores and atomic waits, where the thread pool has
// condition variables.
#pragma once

#include <atomic>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <semaphore>
#include <stdexcept>
#include <thread>
#include <utility>

#include "waiting.h"

class SerialExecutor {
 public:
  class Task {
   public:
    // False if it has started, or was cancelled before.
    bool cancel() {
      int expected = kQueued;
      if (!state_.compare_exchange_strong(expected, kCancelled)) return false;
      state_.notify_all();
      return true;
    }

    // Waits until it has run or is cancelled; true if it has run.
    bool wait() const {
      Waiting waiting(waiters_);
      for (int state; (state = state_) != kDone && state != kCancelled;) state_.wait(state);
      return state_ == kDone;
    }

    int waiters() const { return waiters_; }

   private:
    friend class SerialExecutor;
    enum : int { kQueued, kRunning, kDone, kCancelled };

    explicit Task(std::function<void()> function) : function_(std::move(function)) {}

    void run() {
      int expected = kQueued;
      if (!state_.compare_exchange_strong(expected, kRunning)) return;
      function_();
      state_ = kDone;
      state_.notify_all();
    }

    const std::function<void()> function_;
    std::atomic<int> state_ = kQueued;
    mutable std::atomic<int> waiters_ = 0;
  };

  SerialExecutor() : thread_([this] { work(); }) {}
  ~SerialExecutor() { stop(); }

  // Throws std::runtime_error after stop().
  std::shared_ptr<Task> execute(std::function<void()> function) {
    std::shared_ptr<Task> task(new Task(std::move(function)));
    {
      std::lock_guard lock(mutex_);
      if (stopped_) throw std::runtime_error("the executor is stopped");
      queue_.push_back(task);
    }
    available_.release();
    return task;
  }

  // Waits until everything that was there at the call has run.
  void flush() {
    execute([] {})->wait();
  }

  // Takes nothing more; runs what is queued, and waits for it.
  void stop() {
    {
      std::lock_guard lock(mutex_);
      if (stopped_) return;
      stopped_ = true;
      queue_.push_back(nullptr);
    }
    available_.release();
    thread_.join();
  }

  bool stopped() const {
    std::lock_guard lock(mutex_);
    return stopped_;
  }

  std::size_t queued() const {
    std::lock_guard lock(mutex_);
    return queue_.size();
  }

 private:
  void work() {
    for (;;) {
      available_.acquire();
      std::shared_ptr<Task> task;
      {
        std::lock_guard lock(mutex_);
        task = queue_.front();
        queue_.pop_front();
      }
      if (!task) return;
      task->run();
    }
  }

  mutable std::mutex mutex_;
  std::counting_semaphore<> available_{0};
  std::deque<std::shared_ptr<Task>> queue_;  // a null pointer is the end
  bool stopped_ = false;
  std::thread thread_;
};
