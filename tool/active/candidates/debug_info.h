// Detects programs without debug information, for which no place has a name.
#pragma once

#include "tool/active/candidates/place_names.h"
#include "tool/active/candidates/watched_run.h"

namespace snag::active {

// True if events were watched, and none of them is in code with a source line. Looking for debug
// information in the file is not enough: Snag's own runtime brings some into every program.
bool lacks_debug_info(const Observation& observation, PlaceNames& names);

}  // namespace snag::active
