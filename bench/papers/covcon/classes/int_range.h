// A range of numbers that never changes, with a hash and a text that are computed when they are
// first asked for. The hash is computed in its field, step by step, and another thread sees half of
// it. With CORRECT it is stored when it is complete.
// In the paper: IntRange, an atomicity violation.
#pragma once

#include <algorithm>
#include <atomic>
#include <mutex>
#include <string>

namespace study {

class IntRange {
 public:
  explicit IntRange(int number) : IntRange(number, number) {}
  IntRange(int a, int b) : min_(std::min(a, b)), max_(std::max(a, b)) {}

  int min() const { return min_; }
  int max() const { return max_; }
  long length() const { return long{max_} - min_ + 1; }
  bool contains(int number) const { return min_ <= number && number <= max_; }
  bool contains(const IntRange& other) const {
    return contains(other.min_) && contains(other.max_);
  }
  bool overlaps(const IntRange& other) const {
    return other.contains(min_) || contains(other.min_);
  }
  bool equals(const IntRange& other) const {
    return hash() == other.hash() && min_ == other.min_ && max_ == other.max_;
  }
  int clamp(int number) const { return std::clamp(number, min_, max_); }

  unsigned hash() const {
#ifdef CORRECT
    unsigned result = hash_;
    if (result == 0) {
      result = 17;
      result = 37 * result + static_cast<unsigned>(min_);
      result = 37 * result + static_cast<unsigned>(max_);
      hash_ = result;
    }
    return result;
#else
    if (hash_ == 0) {
      hash_ = 17;
      hash_ = 37 * hash_ + static_cast<unsigned>(min_);
      hash_ = 37 * hash_ + static_cast<unsigned>(max_);
    }
    return hash_;
#endif
  }

  std::string text() const {
    std::lock_guard lock(mutex_);
    if (text_.empty()) text_ = "Range[" + std::to_string(min_) + "," + std::to_string(max_) + "]";
    return text_;
  }

 private:
  const int min_, max_;
  mutable std::atomic<unsigned> hash_ = 0;
  mutable std::mutex mutex_;
  mutable std::string text_;
};

}  // namespace study
