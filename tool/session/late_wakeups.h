// Waits that only their timeout ended, because the signal had come before (see
// runtime/detect/locks/late_wakeup.h), copied out of the shared memory in the same careful way as
// failures.
#pragma once

#include <string>
#include <vector>

#include "tool/binary/symbolizer.h"
#include "tool/session/failed_run.h"

namespace snag::session {

struct LateWakeup {
  LateWakeupReport report{};
  binary::ModuleMap modules;
};

std::vector<LateWakeup> copy_late_wakeups(const Shared& shared);

// Equal for those that a person would call the same, even from different processes.
std::string late_wakeup_places(const LateWakeup& late, binary::Symbolizer& symbolizer);

}  // namespace snag::session
