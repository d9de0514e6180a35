// Traces that will be run again.
#pragma once

#include <string>

#include "tool/trace/trace.h"

namespace snag::cli {

// Reads the trace. Relative paths in it that do not exist from the current folder are resolved from
// the folder of the trace: `snag export` writes them that way.
Expected<trace::Trace> read_runnable_trace(const std::string& path);

}  // namespace snag::cli
