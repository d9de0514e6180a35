// Which steps of a run came because the scheduler took the turn from a thread that could have gone
// on: the switches that a person should see.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "tool/session/failed_run.h"

namespace snag::report {

class Preemptions {
 public:
  explicit Preemptions(const session::FailedRun& run);

  // Whether the thread before was about to do something that nothing kept it from.
  bool at(std::uint64_t step) const { return marks_[step]; }

 private:
  static bool could_go_on(const session::FailedRun& run, Tid thread, std::uint64_t following,
                          const std::unordered_map<std::uint64_t, Tid>& owners);

  std::vector<bool> marks_;
};

}  // namespace snag::report
