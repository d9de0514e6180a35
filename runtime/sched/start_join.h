// Vector clocks that only creating and joining threads advances. They show what is ordered in every
// schedule, regardless of the order that locks and atomics imposed in this one.
#pragma once

#include <cstdint>

#include "protocol/ops.h"

namespace snag::rt {

struct Thread;

// In the process that outlives the runs.
void init_start_join();
void start_join_begin_run();
void start_join_created(const Thread* thread, const Thread* creator);
void start_join_joined(const Thread* thread, const Thread* joiner);

// Threads beyond the first 256 have no clock: their actions count as unordered.
inline constexpr std::uint32_t kStartJoinThreads = 256;
inline bool has_start_join_clock(Tid thread) { return thread < kStartJoinThreads; }

[[gnu::visibility("hidden")]] extern std::uint16_t (*start_join_clocks)[kStartJoinThreads];
// What the thread's own clock shows.
inline std::uint16_t start_join_time(Tid thread) { return start_join_clocks[thread][thread]; }
// Whether what `other` did until `time` was over before `thread` was created, or had joined it.
inline bool start_join_knows(Tid thread, Tid other, std::uint16_t time) {
  return start_join_clocks[thread][other] >= time;
}

}  // namespace snag::rt
