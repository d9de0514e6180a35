// Implements interpose.h: time. It is virtual: it stands still while threads run, passes when they
// sleep, and is the same in every replay.
#include <errno.h>

#include "runtime/interpose/interpose.h"
#include "runtime/interpose/openmp.h"
#include "runtime/sched/failure.h"

using namespace snag;
using namespace snag::rt;

namespace snag::rt {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;
// What the clocks show when a run starts. Any fixed date will do that programs accept as sane.
constexpr std::int64_t kRealtimeStart = 1'767'225'600 * kSecond;  // 2026-01-01 00:00 UTC
constexpr std::int64_t kMonotonicStart = 1000 * kSecond;

bool is_realtime(clockid_t clock) {
  return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE ||
         clock == CLOCK_REALTIME_ALARM || clock == CLOCK_TAI;
}
bool is_virtual(clockid_t clock) { return clock >= 0 && clock <= CLOCK_TAI; }

std::int64_t start_of(clockid_t clock) {
  if (is_realtime(clock)) return kRealtimeStart;
  // Processor time starts at 0.
  return clock == CLOCK_PROCESS_CPUTIME_ID || clock == CLOCK_THREAD_CPUTIME_ID ? 0
                                                                               : kMonotonicStart;
}

std::int64_t nanoseconds(const timespec* time) {
  if (time->tv_sec > INT64_MAX / kSecond - 1) return INT64_MAX;
  return time->tv_sec * kSecond + time->tv_nsec;
}

timespec to_timespec(std::int64_t time) { return {time / kSecond, time % kSecond}; }

int sleep_for(std::int64_t duration, timespec* remaining, std::uint64_t pc) {
  test_cancel();
  sched.current->cancel_point = true;
  const std::int64_t deadline = duration > INT64_MAX / 2 ? INT64_MAX - 1 : sched.now + duration;
  const Wake wake = sleep_until(deadline, pc);
  sched.current->cancel_point = false;
  if (wake == Wake::kCancelled) test_cancel();
  if (wake != Wake::kInterrupted) return 0;
  if (remaining) *remaining = to_timespec(deadline > sched.now ? deadline - sched.now : 0);
  return EINTR;
}

}  // namespace

std::int64_t deadline_of(clockid_t clock, const timespec* absolute) {
  const std::int64_t time = nanoseconds(absolute);
  if (time == INT64_MAX) return INT64_MAX - 1;
  return time - start_of(clock);
}

std::int64_t deadline_after(const timespec* relative) {
  const std::int64_t duration = nanoseconds(relative);
  return duration > INT64_MAX / 2 ? INT64_MAX - 1 : sched.now + duration;
}

bool valid_time(const timespec* time) { return time->tv_nsec >= 0 && time->tv_nsec < kSecond; }

}  // namespace snag::rt

SNAG_INTERPOSE int clock_gettime(clockid_t clock, timespec* time) {
  if (runs_freely()) return real.clock_gettime(clock, time);
  if (!is_virtual(clock)) {
    // The processor time of some thread or process.
    count_uncontrolled(Uncontrolled::kRealClock);
    return real.clock_gettime(clock, time);
  }
  *time = to_timespec(start_of(clock) + virtual_now(SNAG_CALLER));
  return 0;
}
SNAG_INTERPOSE int gettimeofday(timeval* time, void* zone) {
  if (runs_freely()) return real.gettimeofday(time, zone);
  const timespec now = to_timespec(kRealtimeStart + virtual_now(SNAG_CALLER));
  *time = {now.tv_sec, now.tv_nsec / 1000};
  return 0;
}
SNAG_INTERPOSE time_t time(time_t* result) {
  if (runs_freely()) return real.time(result);
  const time_t now = (kRealtimeStart + virtual_now(SNAG_CALLER)) / kSecond;
  if (result) *result = now;
  return now;
}
SNAG_INTERPOSE int timespec_get(timespec* time, int base) {
  if (!controlled || base != TIME_UTC) return real.timespec_get(time, base);
  *time = to_timespec(kRealtimeStart + virtual_now(SNAG_CALLER));
  return base;
}
SNAG_INTERPOSE clock_t clock() {
  if (controlled) return virtual_now(SNAG_CALLER) / (kSecond / CLOCKS_PER_SEC);
  timespec time;
  real.clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return nanoseconds(&time) / (kSecond / CLOCKS_PER_SEC);
}

SNAG_INTERPOSE int nanosleep(const timespec* duration, timespec* remaining) {
  if (runs_freely()) return real.nanosleep(duration, remaining);
  if (!valid_time(duration) || duration->tv_sec < 0) {
    errno = EINVAL;
    return -1;
  }
  const int error = sleep_for(nanoseconds(duration), remaining, SNAG_CALLER);
  if (error == 0) return 0;
  errno = error;
  return -1;
}
SNAG_INTERPOSE int clock_nanosleep(clockid_t clock, int flags, const timespec* duration,
                                   timespec* remaining) {
  if (runs_freely()) return real.clock_nanosleep(clock, flags, duration, remaining);
  if (!valid_time(duration) || duration->tv_sec < 0) return EINVAL;
  if (!(flags & TIMER_ABSTIME)) return sleep_for(nanoseconds(duration), remaining, SNAG_CALLER);
  const std::int64_t left = deadline_of(clock, duration) - sched.now;
  return sleep_for(left > 0 ? left : 0, nullptr, SNAG_CALLER);
}
SNAG_INTERPOSE int usleep(unsigned microseconds) {
  if (runs_freely()) return real.usleep(microseconds);
  const int error = sleep_for(std::int64_t{microseconds} * 1000, nullptr, SNAG_CALLER);
  if (error == 0) return 0;
  errno = error;
  return -1;
}
SNAG_INTERPOSE unsigned sleep(unsigned seconds) {
  if (runs_freely()) return real.sleep(seconds);
  timespec remaining{0, 0};
  return sleep_for(seconds * kSecond, &remaining, SNAG_CALLER) == 0
             ? 0
             : static_cast<unsigned>(remaining.tv_sec);
}
SNAG_INTERPOSE int thrd_sleep(const timespec* duration, timespec* remaining) {
  if (runs_freely()) return real.thrd_sleep(duration, remaining);
  return sleep_for(nanoseconds(duration), remaining, SNAG_CALLER) == 0 ? 0 : -1;
}

SNAG_INTERPOSE int sched_yield() {
  if (runs_freely()) return real.sched_yield();
  note_finished_tasks();
  yield_step(SNAG_CALLER);
  return 0;
}
SNAG_INTERPOSE void thrd_yield() { sched_yield(); }
