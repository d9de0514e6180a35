// Points, sorted by x, and the bounds of their y, which are kept up to date outside of the lock.
// With CORRECT inside.
// In the paper: XYSeries, a data race.
#pragma once

#include <algorithm>
#include <cstddef>
#include <mutex>
#include <stdexcept>
#include <vector>

namespace study {

class XYSeries {
 public:
  XYSeries() = default;

  void add(double x, double y) {
    std::unique_lock lock(mutex_);
    points_.insert(std::upper_bound(points_.begin(), points_.end(), x,
                                    [](double value, const Point& p) { return value < p.x; }),
                   {x, y});
#ifndef CORRECT
    lock.unlock();
#endif
    extend_bounds(y);
  }
  // Changes the first point at x, if there is one.
  bool update(double x, double y) {
    std::unique_lock lock(mutex_);
    const auto found =
        std::find_if(points_.begin(), points_.end(), [&](const Point& p) { return p.x == x; });
    if (found == points_.end()) return false;
    found->y = y;
    compute_bounds();
    return true;
  }
  void remove(std::size_t index) {
    std::lock_guard lock(mutex_);
    if (index >= points_.size()) throw std::out_of_range("XYSeries::remove");
    points_.erase(points_.begin() + static_cast<std::ptrdiff_t>(index));
    compute_bounds();
  }
  void clear() {
    std::lock_guard lock(mutex_);
    points_.clear();
    compute_bounds();
  }

  std::size_t item_count() const {
    std::lock_guard lock(mutex_);
    return points_.size();
  }
  double x(std::size_t index) const {
    std::lock_guard lock(mutex_);
    return points_.at(index).x;
  }
  double y(std::size_t index) const {
    std::lock_guard lock(mutex_);
    return points_.at(index).y;
  }
  int index_of(double x) const {
    std::lock_guard lock(mutex_);
    for (std::size_t i = 0; i < points_.size(); ++i) {
      if (points_[i].x == x) return static_cast<int>(i);
    }
    return -1;
  }
  double min_y() const {
    std::lock_guard lock(mutex_);
    return min_y_;
  }
  double max_y() const {
    std::lock_guard lock(mutex_);
    return max_y_;
  }

 private:
  struct Point {
    double x, y;
  };

  void extend_bounds(double y) {
    min_y_ = is_empty_ ? y : std::min(min_y_, y);
    max_y_ = is_empty_ ? y : std::max(max_y_, y);
    is_empty_ = false;
  }
  void compute_bounds() {
    is_empty_ = true;
    min_y_ = max_y_ = 0;
    for (const Point& point : points_) extend_bounds(point.y);
  }

  mutable std::mutex mutex_;
  std::vector<Point> points_;
  bool is_empty_ = true;
  double min_y_ = 0, max_y_ = 0;
};

}  // namespace study
