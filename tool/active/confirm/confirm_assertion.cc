// Implements tool/active/confirm/confirm_kinds.h: candidates of the kind "assertion".
#include <fmt/format.h>

#include "tool/active/confirm/confirm_kinds.h"
#include "tool/base/number_text.h"
#include "tool/session/signature.h"

namespace snag::active {

// The check that failed is where the candidate says. A check that a test framework only counts
// shows as an exit with an error; the framework's output says where it was.
bool happened_as_assertion(const Candidate& candidate, const session::FailedRun& run,
                           binary::Symbolizer& symbolizer) {
  const bool is_named = candidate.is_counted && names(run.output, candidate.location);
  if (has_trait(run.kind, kDetailIsStatus)) return is_named;
  if (run.kind == FailureKind::kReported && is_named) return true;
  if (!has_trait(run.kind, kCheckFailed)) return false;
  const ThreadReport* thread = run.thread_report(run.thread);
  return thread != nullptr && session::thread_place(run, *thread, symbolizer) == candidate.location;
}

std::string closest_assertion(const Candidate&, const explore::DirectedTotals& reached,
                              const Obstacles&) {
  if (reached.happened == 0) return "no write came between its reads";
  return fmt::format("in {} it was checked after chosen writes, and held",
                     counted(reached.happened, "run", "runs"));
}

}  // namespace snag::active
