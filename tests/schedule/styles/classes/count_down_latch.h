// Threads wait until it has been counted down to zero.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stdexcept>

#include "waiting.h"

class CountDownLatch {
 public:
  explicit CountDownLatch(int count) : count_(count) {}

  void count_down() {
    std::lock_guard lock(mutex_);
    if (count_ == 0) throw std::logic_error("the latch is at zero already");
    if (--count_ == 0) zero_.notify_all();
  }

  void wait() const {
    std::unique_lock lock(mutex_);
    Waiting waiting(waiters_);
    zero_.wait(lock, [this] { return count_ == 0; });
  }

  // False if the time was over first.
  template <class Rep, class Period>
  bool wait_for(std::chrono::duration<Rep, Period> limit) const {
    std::unique_lock lock(mutex_);
    Waiting waiting(waiters_);
    return zero_.wait_for(lock, limit, [this] { return count_ == 0; });
  }

  bool is_zero() const { return count() == 0; }

  int count() const {
    std::lock_guard lock(mutex_);
    return count_;
  }

  int waiters() const { return waiters_; }

 private:
  mutable std::mutex mutex_;
  mutable std::condition_variable zero_;
  int count_;
  mutable std::atomic<int> waiters_ = 0;
};
