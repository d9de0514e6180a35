// A vector with a lock in every method. Some methods are made of others, and use a size that is no
// longer true. With CORRECT they hold the lock.
// In the paper: Vector of JDK 1.1, where lastElement() ends in an ArrayIndexOutOfBoundsException.
#pragma once

#include <cstddef>
#include <mutex>
#include <stdexcept>
#include <vector>

namespace study {

class SizedVector {
 public:
  SizedVector() = default;

  std::size_t size() const {
    std::lock_guard lock(mutex_);
    return items_.size();
  }
  bool is_empty() const { return size() == 0; }
  int at(std::size_t index) const {
    std::lock_guard lock(mutex_);
    return items_.at(index);
  }
  std::vector<int> items() const {
    std::lock_guard lock(mutex_);
    return items_;
  }
  int index_of(int value) const {
    std::lock_guard lock(mutex_);
    for (std::size_t i = 0; i < items_.size(); ++i) {
      if (items_[i] == value) return static_cast<int>(i);
    }
    return -1;
  }
  bool contains(int value) const { return index_of(value) >= 0; }
  int first() const {
    std::lock_guard lock(mutex_);
    if (items_.empty()) throw std::underflow_error("the vector is empty");
    return items_.front();
  }
  int last() const {
#ifdef CORRECT
    std::lock_guard lock(mutex_);
    if (items_.empty()) throw std::underflow_error("the vector is empty");
    return items_.back();
#else
    if (is_empty()) throw std::underflow_error("the vector is empty");
    return at(size() - 1);
#endif
  }

  void add(int value) {
    std::lock_guard lock(mutex_);
    items_.push_back(value);
  }
  void set(std::size_t index, int value) {
    std::lock_guard lock(mutex_);
    items_.at(index) = value;
  }
  void remove_at(std::size_t index) {
    std::lock_guard lock(mutex_);
    if (index >= items_.size()) throw std::out_of_range("SizedVector::remove_at");
    items_.erase(items_.begin() + static_cast<std::ptrdiff_t>(index));
  }
  // All that are equal to the value; how many there were.
  std::size_t remove(int value) {
#ifdef CORRECT
    std::lock_guard lock(mutex_);
    return std::erase(items_, value);
#else
    std::size_t removed = 0;
    for (int index; (index = index_of(value)) >= 0; ++removed)
      remove_at(static_cast<std::size_t>(index));
    return removed;
#endif
  }
  void clear() {
    std::lock_guard lock(mutex_);
    items_.clear();
  }

 private:
  mutable std::mutex mutex_;
  std::vector<int> items_;
};

}  // namespace study
