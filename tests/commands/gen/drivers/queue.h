// A correct queue: nothing may be reported.
#pragma once

#include <deque>
#include <mutex>
#include <optional>

class Queue {
 public:
  explicit Queue(int first) { push(first); }
  Queue() = default;
  void push(int value) {
    std::lock_guard lock(mutex_);
    items_.push_back(value);
  }
  std::optional<int> try_pop() {
    std::lock_guard lock(mutex_);
    if (items_.empty()) return std::nullopt;
    const int value = items_.front();
    items_.pop_front();
    return value;
  }
  bool try_pop(int& value) {
    std::lock_guard lock(mutex_);
    if (items_.empty()) return false;
    value = items_.front();
    items_.pop_front();
    return true;
  }
  // Takes both locks at once.
  void append(const Queue& other) {
    if (&other == this) return;
    std::scoped_lock lock(mutex_, other.mutex_);
    items_.insert(items_.end(), other.items_.begin(), other.items_.end());
  }
  std::size_t size() const {
    std::lock_guard lock(mutex_);
    return items_.size();
  }

 private:
  mutable std::mutex mutex_;
  std::deque<int> items_;
};
