// The variable of a race: one line may use several.
#pragma once

#include <string>

#include "tool/binary/symbolizer.h"
#include "tool/session/failed_run.h"

namespace snag::active {

// As simple_name gives it; empty: memory without a fixed address, or not a race.
std::string raced_variable(const session::FailedRun& run, binary::Symbolizer& symbolizer);

}  // namespace snag::active
