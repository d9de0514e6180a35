// Traces that are to be run again.
#pragma once

#include <string>

#include "tool/trace/trace.h"

namespace snag::cli {

// Reads the trace. Files that it names by relative paths, and that are not there from the current
// folder, are looked for from the folder of the trace: that is how `snag export` writes them.
Expected<trace::Trace> read_runnable_trace(const std::string& path);

}  // namespace snag::cli
