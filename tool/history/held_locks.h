// Which locks each thread of a traced run holds, and what the starts and joins of threads put into
// an order.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "protocol/full_trace.h"
#include "tool/history/memory_history.h"

namespace snag::history {

struct HeldLock {
  std::uint64_t address = 0;
  CodeLocation taken;         // where, with some callers: locks are mostly taken in library code
  bool exclusive = true;      // no reader of a read-write lock
  std::uint32_t section = 0;  // the event that took it: all until the release is one section
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

// Vector clocks that know only the starts and joins of threads. A thread's time goes on with each.
class ThreadOrder {
 public:
  void follow(const TraceEvent& event);
  std::uint32_t time(Tid thread) const;
  // Whether what `earlier` did at its time `then` was over before `later` was made, or had been
  // joined, when its own time was `now`.
  bool is_before(Tid earlier, std::uint32_t then, Tid later, std::uint32_t now) const;

 private:
  using Clock = std::map<Tid, std::uint32_t>;  // the latest time of each that is known
  struct Times {
    std::vector<Clock> at;  // by the thread's own time
  };
  Clock& advance(Tid thread);
  std::map<Tid, Times> threads_;
};

}  // namespace snag::history
