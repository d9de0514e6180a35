// Merges measurements. Sets are united, and counts are kept per measurement, so the order does not
// matter and nothing counts twice.
#pragma once

#include "tool/base/error.h"
#include "tool/coverage/data/data.h"

namespace snag::coverage {

// Whether the two are of the same build, measured in the same way. The names are for the message.
Expected<void> check_same_build(const CoverData& a, const std::string& a_name, const CoverData& b,
                                const std::string& b_name);

// The options that say what counts: "--context 0 --ignore assert".
std::string measured_as(const Build& build);

// Merges data of the same build. The result, including its numbering, does not depend on the order.
CoverData merge(const CoverData& a, const CoverData& b);

// The same data with canonical numbers.
CoverData in_order(const CoverData& data);

}  // namespace snag::coverage
