// What confirming needs to know about each kind of candidate, in confirm_<word>.cc.
#pragma once

#include <string>

#include "tool/active/candidates/candidate.h"
#include "tool/active/confirm/confirm.h"
#include "tool/binary/symbolizer.h"
#include "tool/session/failed_run.h"

namespace snag::active {

// happened_as_<word>: whether the failed run is what the candidate predicts.
// closest_<word>: how close the runs came to it, once threads were at all of its sides.
#define SNAG_DECLARE(kind, word, ...)                                                            \
  bool happened_as_##word(const Candidate& candidate, const session::FailedRun& run,             \
                          binary::Symbolizer& symbolizer);                                       \
  std::string closest_##word(const Candidate& candidate, const explore::DirectedTotals& reached, \
                             const Obstacles& obstacles);
SNAG_CANDIDATE_KINDS(SNAG_DECLARE)
#undef SNAG_DECLARE

// Whether one of the side's places is this operation.
bool has_place(const Side& side, ModulePc pc);

// Whether the race in the run is on the candidate's variable: one line may use several.
bool is_on_variable(const Candidate& race, const session::FailedRun& run,
                    binary::Symbolizer& symbolizer);

}  // namespace snag::active
