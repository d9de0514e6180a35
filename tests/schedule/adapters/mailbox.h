// What the adapters' tests are about: a place for one number, to be put by one thread and taken by
// another.
#pragma once

#include <condition_variable>
#include <mutex>
#include <optional>

class Mailbox {
 public:
  void put(int value) {
    std::lock_guard lock(mutex_);
    value_ = value;
    filled_.notify_one();
  }

  int take() {
    std::unique_lock lock(mutex_);
    if (!value_) ++waits_;
    filled_.wait(lock, [this] { return value_.has_value(); });
    const int value = *value_;
    value_.reset();
    return value;
  }

  // How often somebody had to wait.
  int waits() const {
    std::lock_guard lock(mutex_);
    return waits_;
  }

 private:
  mutable std::mutex mutex_;
  std::condition_variable filled_;
  std::optional<int> value_;
  int waits_ = 0;
};
