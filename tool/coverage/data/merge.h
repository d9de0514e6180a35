// Putting measurements together. A pure function: sets are united, and what is counted is kept for
// each measurement, so that the order does not matter and nothing counts twice.
#pragma once

#include "tool/base/error.h"
#include "tool/coverage/data/data.h"

namespace snag::coverage {

// Whether the two are of the same build, measured in the same way. The names are for the message.
Expected<void> check_same_build(const CoverData& a, const std::string& a_name, const CoverData& b,
                                const std::string& b_name);

// The options that say what counts: "--context 0 --ignore assert".
std::string measured_as(const Build& build);

// Of the same build. The result does not depend on the order, also not in its numbering.
CoverData merge(const CoverData& a, const CoverData& b);

// The same data, numbered in an order that depends on nothing but the data.
CoverData in_order(const CoverData& data);

}  // namespace snag::coverage
