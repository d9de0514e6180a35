// Which failures a suppression keeps away.
#pragma once

#include "tool/binary/symbolizer.h"
#include "tool/session/failed_run.h"
#include "tool/session/late_wakeups.h"
#include "tool/session/lock_orders.h"
#include "tool/suppress/suppressions.h"

namespace snag::suppress {

// Errors in the C++ library that its users can do nothing about.
Suppressions built_in_suppressions();

// The suppression that matches the failure, after counting it; nullptr if there is none. Failures
// that the program itself reports (assertions, crashes) cannot be suppressed.
const Suppression* find_suppression(const session::FailedRun& run, binary::Symbolizer& symbolizer,
                                    Suppressions& suppressions);
// The same for the warnings.
const Suppression* find_suppression(const session::LockOrder& order, binary::Symbolizer& symbolizer,
                                    Suppressions& suppressions);
const Suppression* find_suppression(const session::LateWakeup& late, binary::Symbolizer& symbolizer,
                                    Suppressions& suppressions);

}  // namespace snag::suppress
