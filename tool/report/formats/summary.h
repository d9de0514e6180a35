// What the result of a search means: the residual risk in numbers.
#pragma once

#include <string>

#include "tool/base/terminal.h"
#include "tool/report/view/run_report.h"

namespace snag::report {

// A few lines: the result, what was covered, what was not controlled, what remains.
std::string summary_text(const RunReport& report, const Painter& painter);

}  // namespace snag::report
