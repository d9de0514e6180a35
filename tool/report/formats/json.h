// Parts of the format "json" that the reports of several commands share. docs/reference/json.md
// describes the fields; within a version, fields are only added.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>

#include "tool/report/view/report.h"

namespace snag::report {

// Change it when a field is removed or changes its meaning.
inline constexpr int kReportVersion = 1;

Json failure_json(const FailureView& failure);
Json failures_json(std::span<const FailureView> failures);

// Three digits after the point.
double rounded(double value);

}  // namespace snag::report
