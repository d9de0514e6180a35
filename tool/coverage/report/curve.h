// How coverage grew: a curve for each metric, over time, function calls or runs. Measurements
// follow each other in the order in which they began.
#pragma once

#include <string>
#include <vector>

#include "tool/coverage/data/data.h"

namespace snag::coverage {

enum class CurveBy { kTime, kCalls, kRuns };

struct CurvePoint {
  double x = 0;  // seconds, calls or runs
  std::uint64_t covered = 0;
};
struct Curve {
  std::string name;                // "lp"
  std::uint64_t target = 0;        // 0: not known
  std::vector<CurvePoint> points;  // begins at 0, ends where the measuring did
};

std::vector<Curve> make_curves(const CoverData& data, CurveBy by, std::uint32_t metrics);

// One row for each x at which something changed, one column for each metric.
std::string curve_csv(const std::vector<Curve>& curves, CurveBy by);
// In percent of the target, or of the final coverage if there is no target.
std::string curve_svg(const std::vector<Curve>& curves, CurveBy by, const std::string& program);

}  // namespace snag::coverage
