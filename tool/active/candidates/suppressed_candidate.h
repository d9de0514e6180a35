// Candidates that the user has suppressed, so that no run is spent on them.
#pragma once

#include <string>

#include "tool/active/candidates/candidate.h"
#include "tool/binary/symbolizer.h"
#include "tool/session/failed_run.h"
#include "tool/suppress/suppressions.h"

namespace snag::active {

// The suppression that matches the candidate, as the file has it; empty: none. A candidate knows
// only its innermost callers, so suppressions by an outer caller apply only once it has happened.
std::string suppression_of(const Candidate& candidate, const binary::ModuleMap& modules,
                           binary::Symbolizer& symbolizer, suppress::Suppressions& suppressions);

}  // namespace snag::active
