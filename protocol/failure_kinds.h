// How a run can fail: one row per kind. Code that treats kinds differently asks for traits, so that
// a new kind is a row here and its detector.
#pragma once

#include <cstdint>

namespace snag {

enum FailureTrait : std::uint32_t {
  // Snag or its limits are to blame, not the program under test.
  kNotOfProgram = 1 << 0,
  // Threads wait for each other, or for a signal that will not come.
  kThreadsWait = 1 << 1,
  // The run did not come to an end; where its threads were says little.
  kEndless = 1 << 2,
  // The run was cut off by RunSettings::max_steps.
  kOutOfSteps = 1 << 3,
  // A schedule alone does not bring the failure back, so it is not shrunk.
  kNotShrunk = 1 << 4,
  // A report of memory accesses says more than the stacks of the threads.
  kAboutMemory = 1 << 5,
  // Lock operations tell more about the failure than memory accesses do.
  kAboutLocks = 1 << 6,
  // A check in the program did not hold.
  kCheckFailed = 1 << 7,
  // `detail` is a signal.
  kDetailIsSignal = 1 << 8,
  // `detail` is an exit status.
  kDetailIsStatus = 1 << 9,
};

// X(enumerator, name, headline, traits). Names are part of the trace format and of the JSON
// reports: never rename one. Headlines are for users.
//
//   kReported     snag::fail, or a test framework's assertion inside snag::explore
//   kInternal     a broken invariant of the runtime
//   kUnsupported  the program does what cannot be controlled; `message` says what to do instead
//   kRace, kHeap  Run::race and Run::heap say more
//   kCutShort     the run took Config::max_steps: nothing is known about its end. The fork server
//                 counts such runs instead of stopping at them.
#define SNAG_FAILURE_KINDS(X)                                                                 \
  X(kNone, "none", "none", 0)                                                                 \
  X(kSignal, "signal", "signal", kDetailIsSignal)                                             \
  X(kAssert, "assert", "failed assertion", kCheckFailed)                                      \
  X(kAbort, "abort", "abort", kCheckFailed)                                                   \
  X(kException, "exception", "uncaught exception", kCheckFailed)                              \
  X(kExit, "exit", "exit with status", kDetailIsStatus)                                       \
  X(kDeadlock, "deadlock", "deadlock", kThreadsWait | kAboutLocks)                            \
  X(kLostWakeup, "lost-wakeup", "lost wakeup", kThreadsWait | kAboutLocks)                    \
  X(kLivelock, "livelock", "livelock", kEndless | kOutOfSteps)                                \
  X(kHang, "hang", "hang", kEndless | kNotShrunk)                                             \
  X(kReported, "reported", "reported", kCheckFailed)                                          \
  X(kInternal, "internal", "internal", kNotOfProgram | kNotShrunk)                            \
  X(kUnsupported, "unsupported", "unsupported", kNotOfProgram | kNotShrunk)                   \
  X(kRace, "race", "data race", kAboutMemory)                                                 \
  X(kHeap, "heap", "heap error", kAboutMemory)                                                \
  X(kLockMisuse, "lock-misuse", "lock misuse", kAboutLocks)                                   \
  X(kCutShort, "cut-short", "cut short", kNotOfProgram | kEndless | kOutOfSteps | kNotShrunk) \
  X(kLateWakeup, "late-wakeup", "late wakeup", kAboutLocks)

enum class FailureKind : std::uint32_t {
#define SNAG_FAILURE_ENUMERATOR(kind, name, headline, traits) kind,
  SNAG_FAILURE_KINDS(SNAG_FAILURE_ENUMERATOR)
#undef SNAG_FAILURE_ENUMERATOR
};

struct FailureRow {
  const char* name;
  const char* headline;
  std::uint32_t traits;
};

// In the order of the enumerators. The shared memory may hold numbers that are not kinds: use the
// functions below for those.
inline constexpr FailureRow kFailureRows[] = {
#define SNAG_FAILURE_ROW(kind, name, headline, traits) {name, headline, traits},
    SNAG_FAILURE_KINDS(SNAG_FAILURE_ROW)
#undef SNAG_FAILURE_ROW
};
inline constexpr std::uint32_t kFailureKindCount = sizeof(kFailureRows) / sizeof(kFailureRows[0]);

constexpr bool is_failure_kind(FailureKind kind) {
  return static_cast<std::uint32_t>(kind) < kFailureKindCount;
}

constexpr const char* failure_name(FailureKind kind) {
  return is_failure_kind(kind) ? kFailureRows[static_cast<std::uint32_t>(kind)].name : "unknown";
}

constexpr const char* failure_headline(FailureKind kind) {
  return is_failure_kind(kind) ? kFailureRows[static_cast<std::uint32_t>(kind)].headline
                               : "unknown";
}

// Whether the kind has one of these traits.
constexpr bool has_trait(FailureKind kind, std::uint32_t traits) {
  return is_failure_kind(kind) &&
         (kFailureRows[static_cast<std::uint32_t>(kind)].traits & traits) != 0;
}

// Whether the run could not come to its end.
constexpr bool never_ends(FailureKind kind) { return has_trait(kind, kThreadsWait | kEndless); }

}  // namespace snag
