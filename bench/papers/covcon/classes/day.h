// A day, and its first and last second in a time zone. The two are fields that peg() computes anew
// for another zone, while others read them. With CORRECT there is a lock.
// In the paper: Day, a data race.
#pragma once

#include <algorithm>
#include <mutex>
#include <string>
#include <utility>

namespace study {

class Day {
 public:
  Day() : Day(1, 1, 2000) {}
  // What is out of range is taken for the nearest that is not.
  Day(int day, int month, int year)
      : year_(std::clamp(year, 1900, 2100)),
        month_(std::clamp(month, 1, 12)),
        day_(std::clamp(day, 1, 28)),
        serial_(serial_of(day_, month_, year_)) {
    peg(0);
  }

  int year() const { return year_; }
  int month() const { return month_; }
  int day_of_month() const { return day_; }
  long serial() const { return serial_; }
  bool is_before(const Day& other) const { return serial_ < other.serial_; }
  std::string text() const {
    return std::to_string(year_) + "-" + std::to_string(month_) + "-" + std::to_string(day_);
  }

  // For a zone that is so many hours from UTC.
  void peg(int hours) {
#ifdef CORRECT
    std::lock_guard lock(mutex_);
#endif
    offset_ = std::clamp(hours, -12, 14);
    first_second_ = serial_ * kSecondsOfDay - offset_ * 3600L;
    last_second_ = first_second_ + kSecondsOfDay - 1;
  }
  int offset() const {
#ifdef CORRECT
    std::lock_guard lock(mutex_);
#endif
    return offset_;
  }
  long first_second() const {
#ifdef CORRECT
    std::lock_guard lock(mutex_);
#endif
    return first_second_;
  }
  long last_second() const {
#ifdef CORRECT
    std::lock_guard lock(mutex_);
#endif
    return last_second_;
  }
  std::pair<long, long> seconds() const {
#ifdef CORRECT
    std::lock_guard lock(mutex_);
#endif
    return {first_second_, last_second_};
  }

 private:
  static constexpr long kSecondsOfDay = 86'400;

  // Days since the first of March of the year 0.
  static long serial_of(int day, int month, int year) {
    const long shifted = month > 2 ? year : year - 1L;
    const long of_year = (153L * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
    return shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + of_year;
  }

  const int year_, month_, day_;
  const long serial_;
#ifdef CORRECT
  mutable std::mutex mutex_;
#endif
  int offset_ = 0;
  long first_second_ = 0, last_second_ = 0;
};

}  // namespace study
