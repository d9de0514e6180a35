// A std::shared_ptr and a std::atomic, as somebody would wrap them.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>

namespace wrap {

template <class T>
class SharedBox {
 public:
  SharedBox() = default;
  explicit SharedBox(T value) : value_(std::make_shared<T>(std::move(value))) {}
  void set(T value) {
    auto made = std::make_shared<T>(std::move(value));
    const std::lock_guard guard(mutex_);
    value_ = std::move(made);
  }
  void reset() {
    const std::lock_guard guard(mutex_);
    value_.reset();
  }
  std::shared_ptr<T> get() const {
    const std::lock_guard guard(mutex_);
    return value_;
  }
  std::shared_ptr<T> exchange(std::shared_ptr<T> other) {
    const std::lock_guard guard(mutex_);
    value_.swap(other);
    return other;
  }
  bool has_value() const { return get() != nullptr; }

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<T> value_;
};

class Counter {
 public:
  int add(int amount) { return value_.fetch_add(amount) + amount; }
  int load() const { return value_.load(); }
  void store(int value) { value_.store(value); }
  bool compare_exchange(int& expected, int desired) {
    return value_.compare_exchange_strong(expected, desired);
  }
  operator int() const { return value_; }
  Counter& operator=(int value) {
    value_ = value;
    return *this;
  }
  int operator++() { return ++value_; }
  int operator++(int) { return value_++; }

 private:
  std::atomic<int> value_{0};
};

}  // namespace wrap
