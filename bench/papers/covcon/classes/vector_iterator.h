// Values in order, each once. A place is looked for while others may look, too; the change itself
// is made alone. Between the two, the iterator may have become stale. With CORRECT nobody else
// comes in between.
// In the paper: Vector of JDK 1.4, where removeAll() and others go through a list that changes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <mutex>
#include <numeric>
#include <optional>
#include <shared_mutex>
#include <vector>

namespace study {

class SortedVector {
 public:
  SortedVector() = default;

  std::size_t size() const {
    std::shared_lock lock(mutex_);
    return items_.size();
  }
  std::vector<int> items() const {
    std::shared_lock lock(mutex_);
    return items_;
  }
  bool contains(int value) const {
    std::shared_lock lock(mutex_);
    return std::binary_search(items_.begin(), items_.end(), value);
  }
  std::optional<int> smallest() const {
    std::shared_lock lock(mutex_);
    return items_.empty() ? std::nullopt : std::optional(items_.front());
  }
  // The first that is larger.
  std::optional<int> above(int value) const {
    std::shared_lock lock(mutex_);
    const auto found = std::upper_bound(items_.begin(), items_.end(), value);
    return found == items_.end() ? std::nullopt : std::optional(*found);
  }
  long sum() const {
    std::shared_lock lock(mutex_);
    return std::accumulate(items_.begin(), items_.end(), 0L);
  }

  bool insert(int value) {
#ifdef CORRECT
    std::unique_lock lock(mutex_);
    const auto place = find(value);
#else
    const auto place = look_for(value);
    std::unique_lock lock(mutex_);
#endif
    if (is_at(place, value)) return false;
    items_.insert(place, value);
    return true;
  }
  bool remove(int value) {
#ifdef CORRECT
    std::unique_lock lock(mutex_);
    const auto place = find(value);
#else
    const auto place = look_for(value);
    std::unique_lock lock(mutex_);
#endif
    if (!is_at(place, value)) return false;
    items_.erase(place);
    return true;
  }
  void insert_all(const std::vector<int>& values) {
    std::unique_lock lock(mutex_);
    for (const int value : values) {
      const auto place = find(value);
      if (!is_at(place, value)) items_.insert(place, value);
    }
  }
  void clear() {
    std::unique_lock lock(mutex_);
    items_.clear();
    items_.shrink_to_fit();
  }

 private:
  using Place = std::vector<int>::iterator;

  Place find(int value) { return std::lower_bound(items_.begin(), items_.end(), value); }
  bool is_at(Place place, int value) const { return place != items_.end() && *place == value; }
#ifndef CORRECT
  Place look_for(int value) {
    std::shared_lock lock(mutex_);
    return find(value);
  }
#endif

  mutable std::shared_mutex mutex_;
  std::vector<int> items_;
};

}  // namespace study
