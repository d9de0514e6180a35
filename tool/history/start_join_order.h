// The order that creating and joining threads imposes, computed event by event: vector clocks that
// nothing else advances. A thread's time counts the creations and joins that it has made.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "protocol/steps.h"

namespace snag::history {

class StartJoinOrder {
 public:
  // `time`: the thread's own when it does so, one less than afterwards.
  void create(Tid creator, std::uint32_t time, Tid child);
  void join(Tid joiner, std::uint32_t time, Tid ended);
  // After the last creation or join of it.
  std::uint32_t time(Tid thread) const;
  // How many threads have created or joined others.
  std::size_t threads() const { return times_.size(); }
  // Whether what `earlier` did at its time `then` was over before `later` could get to where it is
  // now, or was at its own time `now`.
  bool is_before(Tid earlier, std::uint32_t then, Tid later, std::uint32_t now) const;

 private:
  using Clock = std::map<Tid, std::uint32_t>;  // up to which time of each, plus one
  struct Knowledge {
    std::uint32_t since = 0;  // the thread's own time
    Clock clock;
  };
  Clock latest(Tid thread) const;

  std::map<Tid, std::vector<Knowledge>> known_;
  std::map<Tid, std::uint32_t> times_;
};

}  // namespace snag::history
