// Replays a trace by source positions, with another binary than the one that made it (see
// position_follower.h).
#pragma once

#include "tool/base/error.h"
#include "tool/binary/symbolizer.h"
#include "tool/trace/replay.h"
#include "tool/trace/trace.h"

namespace snag::trace {

// Whether the trace says where its switches were; one with too many does not.
bool has_positions(const Trace& trace);

// The result is never kIdentical: another binary has other events.
Expected<ReplayResult> replay_by_position(const Trace& trace, binary::Symbolizer& symbolizer,
                                          const ReplayOptions& options);

}  // namespace snag::trace
