// Which failures a suppression keeps away.
#pragma once

#include "tool/binary/symbolizer.h"
#include "tool/session/failed_run.h"
#include "tool/session/lock_orders.h"
#include "tool/suppress/suppressions.h"

namespace snag::suppress {

// Faults of the C++ library that its users can do nothing about.
Suppressions built_in_suppressions();

// The suppression that fits the failure, which is counted; nullptr if there is none. Failures that
// are the program's own word (assertions, crashes) have none.
const Suppression* find_suppression(const session::FailedRun& run, binary::Symbolizer& symbolizer,
                                    Suppressions& suppressions);
// The same for a warning of what may become a deadlock.
const Suppression* find_suppression(const session::LockOrder& order, binary::Symbolizer& symbolizer,
                                    Suppressions& suppressions);

}  // namespace snag::suppress
