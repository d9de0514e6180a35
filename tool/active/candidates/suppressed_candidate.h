// Candidates that the user does not want to hear of: it would be in vain to try them.
#pragma once

#include <string>

#include "tool/active/candidates/candidate.h"
#include "tool/binary/symbolizer.h"
#include "tool/session/failed_run.h"
#include "tool/suppress/suppressions.h"

namespace snag::active {

// The suppression that fits it, as it stands in the file; empty: none. What is suppressed by a
// caller farther out is known only when it has happened.
std::string suppression_of(const Candidate& candidate, const binary::ModuleMap& modules,
                           binary::Symbolizer& symbolizer, suppress::Suppressions& suppressions);

}  // namespace snag::active
