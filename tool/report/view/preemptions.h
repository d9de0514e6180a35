// Which steps of a run come after a preemption: the scheduler switched away from a thread that
// could have continued. A person should see these switches.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "tool/session/failed_run.h"

namespace snag::report {

class Preemptions {
 public:
  explicit Preemptions(const session::FailedRun& run);

  // Whether nothing kept the previous thread from its next operation.
  bool at(std::uint64_t step) const { return marks_[step]; }

 private:
  static bool could_go_on(const session::FailedRun& run, Tid thread, std::uint64_t following,
                          const std::unordered_map<std::uint64_t, Tid>& owners);

  std::vector<bool> marks_;
};

}  // namespace snag::report
