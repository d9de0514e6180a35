// The reports as JSON, for other programs. docs/reference/json.md describes the fields; they are
// append-only within a version.
#pragma once

#include <string>

#include "tool/report/view/run_report.h"

namespace snag::report {

inline constexpr int kReportVersion = 1;

// One object, ended by a newline.
std::string run_json(const RunReport& report);
std::string replay_json(const ReplayReport& report);
std::string shrink_json(const ShrinkReport& report);

}  // namespace snag::report
