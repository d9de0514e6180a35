// Names in titles: a prediction knows only variables with a fixed address; the failure knows more.
#pragma once

#include <string>

#include "tool/active/candidates/candidate.h"
#include "tool/report/view/failure_view.h"

namespace snag::active {

// The candidate's title with the names that the failure has for memory and locks.
std::string named_title(const Candidate& candidate, const report::FailureView& failure);

}  // namespace snag::active
