// What confirming needs to know about each kind of candidate. confirm_<word>.cc has the part of one
// kind; confirm_kinds.cc chooses, and has what they share.
#pragma once

#include <cstdint>
#include <string>

#include "tool/active/candidates/candidate.h"
#include "tool/binary/symbolizer.h"
#include "tool/explore/explorer.h"
#include "tool/session/failed_run.h"

namespace snag::active {

// What kept the candidate from being confirmed.
struct Obstacles {
  std::uint64_t failures = 0;  // runs that another failure ended
  std::string replay_problem;  // why the replay of it did not fail the same way
};

// Whether the failed run is what the candidate predicts, judged by the steps of that run.
bool happened_in(const Candidate& candidate, const session::FailedRun& run,
                 binary::Symbolizer& symbolizer);

// Whether the program itself failed. A race alone is not a failure of the program, and neither are
// Snag's own errors.
bool is_of_program(FailureKind kind);

// Whether a test framework's output names this place: "file.cc:12" but not "file.cc:120".
bool names(const std::string& output, const std::string& location);

// How close the attempts came to the candidate, as a sentence for the report.
std::string closest(const Candidate& candidate, const explore::DirectedTotals& reached,
                    const Obstacles& obstacles);

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

// Whether the run used memory, anywhere, that one of the race's two sides had freed.
bool uses_what_is_freed(const Candidate& race, const session::FailedRun& run);
inline constexpr const char* kUsesFreedMemory =
    "harmful: the program uses memory that was given back";

// The variable of a race as candidates have it: by itself, without namespaces and members. Empty:
// memory without a fixed address, or not a race.
std::string raced_variable_of(const session::FailedRun& run, binary::Symbolizer& symbolizer);
// Whether the race in the run is on the candidate's variable: one line may use several.
bool is_on_variable(const Candidate& race, const session::FailedRun& run,
                    binary::Symbolizer& symbolizer);

}  // namespace snag::active
