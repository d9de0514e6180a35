// Correct classes whose calls need each other, or wait on purpose: nothing may be reported.
#pragma once

#include <atomic>
#include <barrier>
#include <latch>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <stdexcept>
#include <thread>
#include <vector>

class Rendezvous {
 public:
  // No order of two calls, one after the other, comes to an end.
  void meet() { barrier_.arrive_and_wait(); }
  // Only who has locked may unlock.
  void lock() { mutex_.lock(); }
  bool try_lock() { return mutex_.try_lock(); }
  void count_down() {
    int left = left_;
    while (left > 0 && !left_.compare_exchange_weak(left, left - 1)) {
    }
  }
  void await() const {
    while (left_ > 0) std::this_thread::yield();
  }
  int left() const { return left_; }
  void set(std::unique_ptr<int> value) { value_.store(std::shared_ptr<int>(std::move(value))); }
  std::shared_ptr<int> get() const { return value_.load(); }
  int swap(int value) { return exchanged_.exchange(value); }
  int read() const {
    std::shared_lock lock(shared_);
    return plain_;
  }
  void write(int value) {
    std::unique_lock lock(shared_);
    if (value < 0) throw std::domain_error("negative");
    plain_ = value;
  }

 private:
  std::barrier<> barrier_{2};
  std::mutex mutex_;
  std::atomic<int> left_{2};
  std::atomic<std::shared_ptr<int>> value_;
  std::atomic<int> exchanged_{0};
  mutable std::shared_mutex shared_;
  int plain_ = 0;
};
