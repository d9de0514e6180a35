// An axis from a lower to an upper bound. Every access is locked, but setters of one bound read the
// other one, and then set both. With CORRECT they hold the lock.
// In the paper: NumberAxis, an atomicity violation.
#pragma once

#include <cmath>
#include <mutex>
#include <stdexcept>
#include <utility>

namespace study {

class NumberAxis {
 public:
  NumberAxis() = default;

  std::pair<double, double> range() const {
    std::lock_guard lock(mutex_);
    return {lower_, upper_};
  }
  double lower_bound() const { return range().first; }
  double upper_bound() const { return range().second; }
  double length() const {
    std::lock_guard lock(mutex_);
    return upper_ - lower_;
  }

  void set_range(double lower, double upper) {
    if (!(lower < upper)) throw std::invalid_argument("the lower bound must be below the upper");
    std::lock_guard lock(mutex_);
    assign(lower, upper);
  }
  // Moves the other bound, if the new one would pass it.
  void set_lower_bound(double lower) {
#ifdef CORRECT
    std::lock_guard lock(mutex_);
    assign(lower, lower < upper_ ? upper_ : lower + 1);
#else
    const double upper = upper_bound();
    set_range(lower, lower < upper ? upper : lower + 1);
#endif
  }
  void set_upper_bound(double upper) {
#ifdef CORRECT
    std::lock_guard lock(mutex_);
    assign(lower_ < upper ? lower_ : upper - 1, upper);
#else
    const double lower = lower_bound();
    set_range(lower < upper ? lower : upper - 1, upper);
#endif
  }
  void pan(double distance) {
    std::lock_guard lock(mutex_);
    assign(lower_ + distance, upper_ + distance);
  }

  void set_auto_range(bool is_auto) {
    std::lock_guard lock(mutex_);
    is_auto_ = is_auto;
  }
  bool is_auto_range() const {
    std::lock_guard lock(mutex_);
    return is_auto_;
  }
  // A value of the data: with an automatic range, it must be inside.
  void include(double value) {
    std::lock_guard lock(mutex_);
    if (!is_auto_) return;
    assign(std::fmin(lower_, value), std::fmax(upper_, value));
  }
  double tick_unit() const {
    std::lock_guard lock(mutex_);
    return tick_unit_;
  }
  // Where a value lies on a line of that many pixels.
  double to_pixels(double value, int pixels) const {
    std::lock_guard lock(mutex_);
    return (value - lower_) / (upper_ - lower_) * pixels;
  }

 private:
  void assign(double lower, double upper) {
    lower_ = lower;
    upper_ = upper;
    tick_unit_ = std::pow(10, std::floor(std::log10(upper - lower)));
  }

  mutable std::mutex mutex_;
  double lower_ = 0, upper_ = 1;
  double tick_unit_ = 1;
  bool is_auto_ = true;
};

}  // namespace study
