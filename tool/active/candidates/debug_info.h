// Whether a program can be told about at all: without debug information no place has a name.
#pragma once

#include "tool/active/candidates/place_names.h"
#include "tool/active/candidates/watched_run.h"

namespace snag::active {

// Something was watched, and nothing of it is in code that has a source line. That the file has
// debug information says little: that of Snag's own runtime is in each program.
bool lacks_debug_info(const Observation& observation, PlaceNames& names);

}  // namespace snag::active
