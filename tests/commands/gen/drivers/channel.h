// A queue with room for two, whose methods wait for each other. A consumer that waits is not told
// of what comes when the queue was not empty: a lost wakeup, with which two consumers and an
// element each wait forever. With FIXED, it is told.
#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>

class Channel {
 public:
  bool put(int value) {
    std::unique_lock lock(mutex_);
    not_full_.wait(lock, [&] { return items_.size() < 2 || is_closed_; });
    if (is_closed_) return false;
    items_.push_back(value);
    not_empty_.notify_one();
    return true;
  }
  std::optional<int> take() {
    std::unique_lock lock(mutex_);
    not_empty_.wait(lock, [&] { return !items_.empty() || is_closed_; });
    if (items_.empty()) return std::nullopt;
    const int value = items_.front();
    items_.pop_front();
    not_full_.notify_one();
    return value;
  }
  void close() {
    std::lock_guard lock(mutex_);
    is_closed_ = true;
#ifdef FIXED
    not_empty_.notify_all();
    not_full_.notify_all();
#endif
  }
  std::size_t size() const {
    std::lock_guard lock(mutex_);
    return items_.size();
  }

 private:
  mutable std::mutex mutex_;
  std::condition_variable not_empty_, not_full_;
  std::deque<int> items_;
  bool is_closed_ = false;
};
