// The remote strategy: at each schedule point the run asks the tool which thread comes next.
#pragma once

#include <atomic>
#include <cstdint>

#include "protocol/ops.h"
#include "protocol/steps.h"

namespace snag {

struct RemoteExchange {
  std::atomic<std::uint32_t> turn;  // 0: idle, 1: the tool must answer, 2: answered
  Tid current;  // the thread at the schedule point, kNoTid if it blocked or ended
  Tid answer;   // kNoTid: give up (diverged)
  std::uint32_t enabled_count;
  std::uint32_t ignore_pc;            // answer: this pc is never a schedule point again in this run
  Op op;                              // what `current` is about to do
  std::uint64_t frames[kStepFrames];  // its callers, innermost first, 0 behind the last one
  Tid enabled[kMaxThreads];
};

}  // namespace snag
