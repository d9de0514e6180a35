// Values over time, in order. The list has a lock, but the limits (how many, how old) are set, and
// applied to the list, without it. With CORRECT they are part of what it guards.
// In the paper: TimeSeries, a data race.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <vector>

namespace study {

class TimeSeries {
 public:
  TimeSeries() = default;

  void add(long time, double value) {
    std::lock_guard lock(mutex_);
    const auto at = position_of(time);
    if (at != items_.end() && at->time == time)
      throw std::invalid_argument("there is a value for that time");
    items_.insert(at, {time, value});
    trim();
  }
  void add_or_update(long time, double value) {
    std::lock_guard lock(mutex_);
    const auto at = position_of(time);
    if (at != items_.end() && at->time == time) {
      at->value = value;
    } else {
      items_.insert(at, {time, value});
    }
    trim();
  }
  bool remove(long time) {
    std::lock_guard lock(mutex_);
    const auto at = position_of(time);
    if (at == items_.end() || at->time != time) return false;
    items_.erase(at);
    return true;
  }
  void clear() {
    std::lock_guard lock(mutex_);
    items_.clear();
  }

  std::optional<double> value(long time) const {
    std::lock_guard lock(mutex_);
    for (const Item& item : items_) {
      if (item.time == time) return item.value;
    }
    return std::nullopt;
  }
  std::size_t item_count() const {
    std::lock_guard lock(mutex_);
    return items_.size();
  }
  double sum() const {
    std::lock_guard lock(mutex_);
    double total = 0;
    for (const Item& item : items_) total += item.value;
    return total;
  }

  std::size_t maximum_item_count() const {
#ifdef CORRECT
    std::lock_guard lock(mutex_);
#endif
    return maximum_count_;
  }
  void set_maximum_item_count(std::size_t count) {
#ifdef CORRECT
    std::lock_guard lock(mutex_);
#endif
    maximum_count_ = count;
    trim();
  }
  void set_maximum_age(long age) {
    if (age < 0) throw std::invalid_argument("a negative age");
#ifdef CORRECT
    std::lock_guard lock(mutex_);
#endif
    maximum_age_ = age;
    trim();
  }

 private:
  struct Item {
    long time;
    double value;
  };

  std::vector<Item>::iterator position_of(long time) {
    return std::lower_bound(items_.begin(), items_.end(), time,
                            [](const Item& item, long t) { return item.time < t; });
  }
  // The oldest go.
  void trim() {
    if (items_.size() > maximum_count_)
      items_.erase(items_.begin(), items_.end() - static_cast<std::ptrdiff_t>(maximum_count_));
    while (!items_.empty() && items_.back().time - items_.front().time > maximum_age_)
      items_.erase(items_.begin());
  }

  mutable std::mutex mutex_;
  std::vector<Item> items_;
  std::size_t maximum_count_ = std::numeric_limits<std::size_t>::max();
  long maximum_age_ = std::numeric_limits<long>::max();
};

}  // namespace study
