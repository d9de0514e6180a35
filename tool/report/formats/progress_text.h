// The text of the progress line (tool/base/progress.h) of `snag run` and `snag shrink`.
#pragma once

#include <cstdint>
#include <string>

#include "tool/explore/explorer.h"

namespace snag::report {

// "1,234 of 2,000 runs, 1,520 a second, 1 failure". `limit` is the number of runs wanted; 0 means
// "no limit".
std::string progress_line(const explore::Totals& totals, std::uint64_t limit);

// "shrinking: 34 to 7 switches, 1,234 attempts"
std::string shrink_line(const shrink::ShrinkProgress& shrink);

}  // namespace snag::report
