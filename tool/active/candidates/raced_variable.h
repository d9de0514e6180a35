// Which variable a race was on: one line may have several.
#pragma once

#include <string>

#include "tool/binary/symbolizer.h"
#include "tool/session/failed_run.h"

namespace snag::active {

// By itself, as simple_name gives it; empty: memory without a fixed address, or no race.
std::string raced_variable(const session::FailedRun& run, binary::Symbolizer& symbolizer);

}  // namespace snag::active
