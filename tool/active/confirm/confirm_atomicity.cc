// Implements tool/active/confirm/confirm_kinds.h: candidates of the kind "atomicity".
#include "tool/active/confirm/confirm_kinds.h"
#include "tool/active/confirm/happened.h"

namespace snag::active {
namespace {

// What an access in between can lead to. Threads that block each other have other reasons.
bool is_wrong_result(FailureKind kind) {
  return is_of_program(kind) && !never_ends(kind) && !has_trait(kind, kAboutLocks);
}

}  // namespace

bool happened_as_atomicity(const Candidate& candidate, const session::FailedRun& run,
                           binary::Symbolizer&) {
  return is_wrong_result(run.kind) && came_between(candidate, run);
}

std::string closest_atomicity(const Candidate&, const explore::DirectedTotals& reached,
                              const Obstacles&) {
  if (reached.together >= 2)
    return "the other thread came in between, but the second access did not follow";
  return reached.together == 0 ? "no thread made the first access while the other thread was near"
                               : "the other thread never came in between";
}

}  // namespace snag::active
