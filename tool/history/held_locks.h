// Which locks each thread of a traced run holds, and the order that starts and joins of threads
// impose.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "protocol/full_trace.h"
#include "tool/history/memory_history.h"
#include "tool/history/start_join_order.h"

namespace snag::history {

struct HeldLock {
  std::uint64_t address = 0;
  CodeLocation taken;         // where, with some callers: locks are mostly taken in library code
  bool exclusive = true;      // no reader of a read-write lock
  std::uint32_t section = 0;  // the event that took it: everything until the release is one section
};

class HeldLocks {
 public:
  // `index` is that of the event in the run.
  void follow(const TraceEvent& event, std::uint32_t index);
  const std::vector<HeldLock>& of(Tid thread) const;

 private:
  CallStacks stacks_;
  std::map<Tid, std::vector<HeldLock>> held_;
};

// Takes note of creations and joins.
void follow_threads(StartJoinOrder& order, const TraceEvent& event);

}  // namespace snag::history
