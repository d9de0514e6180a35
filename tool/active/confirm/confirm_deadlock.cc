// Implements tool/active/confirm/confirm_kinds.h: candidates of the kind "deadlock".
#include <fmt/format.h>

#include <algorithm>

#include "tool/active/confirm/confirm_kinds.h"

namespace snag::active {

// Each side has a thread of the cycle.
bool happened_as_deadlock(const Candidate& candidate, const session::FailedRun& run,
                          binary::Symbolizer&) {
  if (run.kind != FailureKind::kDeadlock) return false;
  return std::all_of(candidate.sides.begin(), candidate.sides.end(), [&](const Side& side) {
    return std::any_of(run.threads.begin(), run.threads.end(), [&](const ThreadReport& thread) {
      const ModulePc pc = run.modules.to_module_pc(thread.pending_pc);
      return thread.in_cycle != 0 && has_place(side, pc);
    });
  });
}

std::string closest_deadlock(const Candidate& candidate, const explore::DirectedTotals& reached,
                             const Obstacles&) {
  const std::size_t sides = candidate.sides.size();
  if (reached.together >= sides) return "all threads stood there, but got their locks";
  return fmt::format("at most {} of {} threads stood there at the same time", reached.together,
                     sides);
}

}  // namespace snag::active
