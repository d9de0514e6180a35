// What a run is made of: the steps of its threads, and the choices that are not between threads.
#pragma once

#include <cstdint>

#include "protocol/ops.h"

namespace snag {

// Threads of one run; those that have ended count too.
inline constexpr std::uint32_t kMaxThreads = 8192;

// Return addresses kept for each step if Config::record_frames is set: enough to get out of the
// library functions that an unoptimised program does not inline.
inline constexpr std::uint32_t kStepFrames = 6;

// Threads from this number on are not in Shared::enabled.
inline constexpr std::uint32_t kMaskedThreads = kStepFrames * 64;

// Step::flags: taken without asking the strategy, since no other thread could have gone first.
inline constexpr std::uint8_t kSilentStep = 1;
// Step::flags: a sleep or a wait that ended by its deadline although another thread could still go
// on, or had an earlier deadline.
inline constexpr std::uint8_t kEarlyEnd = 2;
// Step::flags, with --timeouts late only: the end of a sleep or a wait whose thread was so late
// that a later deadline of another thread had passed first.
inline constexpr std::uint8_t kLateEnd = 4;
// Step::flags, with --timeouts late only: a sleep or a wait that ended by its deadline before
// others, which could go on when an earlier deadline had passed, but were late.
inline constexpr std::uint8_t kOvertakingEnd = 8;
// The upper bits of Step::flags: where in the word Step::object a memory access begins.
inline constexpr int kStepOffsetShift = 4;
constexpr std::uint8_t step_offset_flags(std::uint64_t address) {
  return static_cast<std::uint8_t>((address & 7) << kStepOffsetShift);
}

// One executed operation. The thread numbers of consecutive steps are the schedule.
struct Step {
  std::uint64_t pc;
  std::uint64_t object;
  Tid thread;
  OpKind kind;
  std::uint8_t flags;
  // If `pc` is in a library: where the program probably called it, as offset in module 0 plus one;
  // 0: unknown. Meaningless for other steps. Only shown to users, not part of the event.
  std::uint32_t caller;
};
static_assert(sizeof(Step) == 24);
constexpr std::uint64_t address_of(const Step& step) {
  return step.object + ((step.flags >> kStepOffsetShift) & 7);
}

// What a step did to memory. Only recorded if Config::record_frames is set.
struct StepValue {
  std::uint64_t before;  // when the step began
  std::uint64_t after;   // when the thread went on
  std::uint8_t size;     // in bytes, of both; 0: no value
};

// A choice that is not between threads, such as which of n waiters a signal wakes.
struct Choice {
  std::uint64_t step;
  std::uint32_t count;
  std::uint32_t value;
};

// Consecutive steps of one thread.
struct Stretch {
  Tid thread;
  std::uint16_t reserved;
  std::uint32_t steps;
};

}  // namespace snag
