// An axis of whole periods (days, months) with a cache of its labels. The periods are locked, the
// cache is not. With CORRECT it is.
// In the paper: PeriodAxis, a data race.
#pragma once

#include <cstddef>
#include <mutex>
#include <stdexcept>
#include <string>
#include <vector>

namespace study {

class PeriodAxis {
 public:
  PeriodAxis() = default;

  int first() const {
    std::lock_guard lock(mutex_);
    return first_;
  }
  int last() const {
    std::lock_guard lock(mutex_);
    return last_;
  }
  int period_count() const {
    std::lock_guard lock(mutex_);
    return last_ - first_ + 1;
  }
  void set_first(int period) {
    std::lock_guard lock(mutex_);
    first_ = period;
    if (last_ < period) last_ = period;
    forget_labels();
  }
  void set_last(int period) {
    std::lock_guard lock(mutex_);
    last_ = period;
    if (first_ > period) first_ = period;
    forget_labels();
  }
  void shift(int periods) {
    std::lock_guard lock(mutex_);
    first_ += periods;
    last_ += periods;
    forget_labels();
  }
  void set_prefix(const std::string& prefix) {
    std::lock_guard lock(mutex_);
    prefix_ = prefix;
    forget_labels();
  }

  std::vector<std::string> labels() const {
#ifdef CORRECT
    std::lock_guard lock(mutex_);
#endif
    if (labels_.empty()) compute_labels();
    return labels_;
  }
  std::string label(std::size_t index) const {
#ifdef CORRECT
    std::lock_guard lock(mutex_);
#endif
    if (labels_.empty()) compute_labels();
    return labels_.at(index);
  }

 private:
  void forget_labels() { labels_.clear(); }
  // A long axis has a label at every tenth period.
  void compute_labels() const {
    const int step = last_ - first_ < 10 ? 1 : 10;
    for (int period = first_; period <= last_; period += step)
      labels_.push_back(prefix_ + std::to_string(period));
  }

  mutable std::mutex mutex_;
  int first_ = 1, last_ = 3;
  std::string prefix_ = "day ";
  mutable std::vector<std::string> labels_;
};

}  // namespace study
