#include "runtime/sched/start_join.h"

#include "runtime/base/arena.h"
#include "runtime/sched/scheduler_state.h"

namespace snag::rt {

constinit std::uint16_t (*start_join_clocks)[kStartJoinThreads] = nullptr;

void init_start_join() {
  start_join_clocks = reinterpret_cast<std::uint16_t(*)[kStartJoinThreads]>(
      map_private<std::uint16_t>(kStartJoinThreads * kStartJoinThreads));
}

void start_join_begin_run() {
  if (start_join_clocks) start_join_clocks[0][0] = 1;
}

void start_join_created(const Thread* thread, const Thread* creator) {
  if (!start_join_clocks || thread->tid >= kStartJoinThreads || creator->tid >= kStartJoinThreads)
    return;
  auto& mine = start_join_clocks[thread->tid];
  __builtin_memcpy(mine, start_join_clocks[creator->tid],
                   sizeof(std::uint16_t) * sched.thread_count);
  mine[thread->tid] = 1;
  ++start_join_clocks[creator->tid][creator->tid];
}

void start_join_joined(const Thread* thread, const Thread* joiner) {
  if (!start_join_clocks || thread->tid >= kStartJoinThreads || joiner->tid >= kStartJoinThreads)
    return;
  const std::uint32_t count =
      sched.thread_count < kStartJoinThreads ? sched.thread_count : kStartJoinThreads;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (start_join_clocks[thread->tid][i] > start_join_clocks[joiner->tid][i])
      start_join_clocks[joiner->tid][i] = start_join_clocks[thread->tid][i];
  }
}

}  // namespace snag::rt
