// Times of the program's waits, as times of the monotonic clock.
#pragma once

#include <sys/time.h>
#include <time.h>

#include "schedule/enforce/threads.h"

namespace snag::schedule {

inline std::int64_t nanoseconds(const timespec& time) {
  return static_cast<std::int64_t>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

inline timespec real_time_after(std::int64_t duration) {
  timespec time{};
  clock_gettime(CLOCK_REALTIME, &time);
  const std::int64_t end = nanoseconds(time) + duration;
  return {static_cast<time_t>(end / 1'000'000'000), static_cast<long>(end % 1'000'000'000)};
}

inline std::int64_t deadline_after(std::int64_t duration) {
  const std::int64_t begin = now();
  if (duration < 0) return begin;
  return duration < kNever - begin ? begin + duration : kNever - 1;
}

inline std::int64_t deadline_after(const timespec* duration) {
  constexpr time_t kCenturies = 10'000'000'000 / 2;
  if (!duration) return kNever;
  return duration->tv_sec > kCenturies ? kNever - 1 : deadline_after(nanoseconds(*duration));
}

inline std::int64_t deadline_of(clockid_t clock, const timespec* time) {
  if (!time) return kNever;
  timespec present{};
  clock_gettime(clock, &present);
  const timespec rest{time->tv_sec - present.tv_sec, time->tv_nsec - present.tv_nsec};
  return deadline_after(&rest);
}

}  // namespace snag::schedule
