// How a run can fail.
#pragma once

#include <cstdint>

namespace snag {

enum class FailureKind : std::uint32_t {
  kNone,
  kSignal,  // `detail` is the signal
  kAssert,
  kAbort,
  kException,
  kExit,  // `detail` is the exit status
  kDeadlock,
  kLostWakeup,
  kLivelock,
  kHang,
  kReported,     // snag::fail, or a test framework's assertion inside snag::explore
  kInternal,     // a broken invariant of the runtime
  kUnsupported,  // the program does what cannot be controlled; `message` says what to do instead
  kRace,         // `Run::race` says more
  kHeap,         // `Run::heap` says more
  kLockMisuse,
  kCovered,  // not a failure of the program: Config::wanted was covered
};
// In the same order; part of the trace format and of the JSON reports.
inline constexpr const char* kFailureNames[] = {
    "none",        "signal",      "assert",   "abort",       "exception", "exit",
    "deadlock",    "lost-wakeup", "livelock", "hang",        "reported",  "internal",
    "unsupported", "race",        "heap",     "lock-misuse", "covered"};

}  // namespace snag
