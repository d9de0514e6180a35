// Implements libc: sleeps.
#include "schedule/enforce/deadlines.h"
#include "schedule/enforce/enforcer.h"
#include "schedule/enforce/wait_scopes.h"
#include "schedule/interpose/next.h"

using namespace snag::schedule;

namespace {

Wait sleep_until(std::int64_t deadline) { return {WaitKind::kSleep, nullptr, nullptr, deadline}; }

}  // namespace

SNAG_INTERPOSE int nanosleep(const timespec* time, timespec* rest) {
  WaitScope scope(sleep_until(deadline_after(time)));
  return next().nanosleep(time, rest);
}
SNAG_INTERPOSE int clock_nanosleep(clockid_t clock, int flags, const timespec* time,
                                   timespec* rest) {
  WaitScope scope(
      sleep_until(flags & TIMER_ABSTIME ? deadline_of(clock, time) : deadline_after(time)));
  return next().clock_nanosleep(clock, flags, time, rest);
}
SNAG_INTERPOSE int usleep(useconds_t microseconds) {
  WaitScope scope(sleep_until(deadline_after(std::int64_t{microseconds} * 1000)));
  return next().usleep(microseconds);
}
SNAG_INTERPOSE unsigned sleep(unsigned seconds) {
  WaitScope scope(sleep_until(deadline_after(std::int64_t{seconds} * 1'000'000'000)));
  return next().sleep(seconds);
}
