// Why threads spin for ever: who wrote last what they re-read.
#pragma once

#include <string>

#include "tool/binary/symbolizer.h"
#include "tool/report/view/object_names.h"
#include "tool/session/failed_run.h"

namespace snag::report {

// A line for each thread of a livelock that re-reads memory: "T1 waits for a spin lock that it
// holds itself: it took lock_ at ...". Empty if the values of the steps were not recorded.
struct Spinning {
  std::string text;
  bool is_own_lock = false;  // the first line tells of a lock that its holder wants again
};
Spinning spinning_threads(const session::FailedRun& run, binary::Symbolizer& symbolizer,
                          ObjectNames& names);

}  // namespace snag::report
