// What the fork server and snag::explore share: planning a run before it, and learning from it
// afterwards.
#pragma once

#include "protocol/shared_memory.h"
#include "runtime/sched/strategy.h"

namespace snag::rt {

// Prepares this process for runs under `shared->config`; once.
Strategy* prepare_runs(Shared* shared);
// Fills in `shared->run` for the number-th run.
RunPlan plan_run(Shared* shared, std::uint64_t number);
// After the run, in the process that stays: statistics, hash, learning.
void account_run(Shared* shared, Strategy* strategy);

// Number of different partial orders among the logs seen so far, after adding this one.
std::uint64_t count_order(const Step* steps, std::uint64_t count);
// Equal for equal sequences of (thread, operation, place in the code).
std::uint64_t hash_events(const Shared* shared, const Step* steps, std::uint64_t count);

}  // namespace snag::rt
