// Replays a trace by source positions, with a binary that is not the one that made it (see
// position_follower.h).
#pragma once

#include "engine/error.h"
#include "engine/replay.h"
#include "engine/symbolizer.h"
#include "engine/trace.h"

namespace snag::engine {

// The result is never kIdentical: the events of another binary are other events.
Expected<ReplayResult> replay_by_position(const Trace& trace, Symbolizer& symbolizer,
                                          const ReplayOptions& options);

}  // namespace snag::engine
