#include "runtime/record/wanted_pair.h"

#include <stdio.h>

#include "runtime/base/modules.h"
#include "runtime/record/memory_events.h"
#include "runtime/record/open_accesses.h"
#include "runtime/sched/scheduler.h"

namespace snag::rt {

constinit bool goal_on = false;

namespace {

constinit WantedPair wanted{};
constinit OpenAccesses open{};

bool is_at(int side, std::uint64_t pc) {
  for (std::uint32_t i = 0; i < wanted.count[side]; ++i) {
    if (wanted.pcs[side][i] == pc) return true;
  }
  return false;
}

}  // namespace

void init_goal(const Shared* shared) {
  wanted = {};
  for (const int side : {0, 1}) {
    for (std::uint32_t i = 0; i < shared->config.wanted.count[side] && i < kMaxWantedPcs; ++i) {
      const std::uint64_t pc = absolute_pc(shared, shared->config.wanted.pcs[side][i]);
      if (pc != 0) wanted.pcs[side][wanted.count[side]++] = pc;
    }
  }
  goal_on = wanted.count[0] != 0 && wanted.count[1] != 0;
  if (goal_on) memory_events = true;
}

const WantedPair& wanted_pair() { return wanted; }

void begin_goal() { open.clear(); }

void goal_access(const volatile void* address, std::uint64_t size, std::uint64_t pc) {
  const auto a = reinterpret_cast<std::uint64_t>(address);
  const Tid self = g.current->tid;
  const Tid before = open.take(a, size, self);
  Run& run = g.shared->run;
  if (before != kNoTid && run.goal_seen == 0 && is_at(1, pc)) {
    run.goal_seen = 1;
    run.goal_thread = self;
    snprintf(run.goal_message, sizeof run.goal_message,
             "T%u came directly after T%u: the pair is covered", self, before);
  }
  if (is_at(0, pc)) open.add(a, size, self);
}

void goal_forget(const void* address, std::uint64_t size) {
  open.take(reinterpret_cast<std::uint64_t>(address), size, kNoTid);
}

}  // namespace snag::rt
