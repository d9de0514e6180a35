// snag run --strategy cover: goes after the location pairs that snag cover has not seen covered.
#pragma once

#include "tool/cli/options/run_options.h"
#include "tool/explore/explorer.h"

namespace snag::cli {

// The exit code.
int run_cover(const RunOptions& settings, const explore::ExploreOptions& options);

}  // namespace snag::cli
