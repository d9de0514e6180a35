// Phase 2: steers runs towards one candidate until it happens or the budget of runs is used up.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tool/active/candidates/candidate.h"
#include "tool/explore/explorer.h"

namespace snag::active {

struct ConfirmOptions {
  explore::ExploreOptions explore;  // as the user set them; `runs`: of this attempt
  bool by_paper = false;            // assertions: use Algorithm 1 of the paper
  // Whether the failure also comes when no thread interrupts another. Then it says nothing about
  // atomicity.
  std::function<bool(const session::FailedRun&)> comes_anyway = [](const session::FailedRun&) {
    return false;
  };
  // Whether the failure is known already, so that it need not be kept.
  std::function<bool(const session::FailedRun&)> is_known = [](const session::FailedRun&) {
    return false;
  };
};

// What kept the candidate from being confirmed.
struct Obstacles {
  std::uint64_t failures = 0;  // runs that another failure ended
  std::string replay_problem;  // why the replay of it did not fail the same way
};

struct Attempt {
  std::uint64_t runs = 0;
  explore::DirectedTotals reached;
  Obstacles obstacles;
  // The failure that confirms it, with its trace.
  std::optional<explore::Finding> confirmed;
  // Other failures in these runs.
  std::vector<explore::Finding> others;
  bool interrupted = false;
  bool suppressed = false;     // it happened, but the user has suppressed it
  std::optional<Error> error;  // what could not be written; the rest is valid
};

Expected<Attempt> try_to_confirm(const Candidate& candidate, const ConfirmOptions& options,
                                 binary::Symbolizer& symbolizer,
                                 const explore::ExploreHooks& hooks);

// Whether the failed run is what the candidate predicts, judged by the steps of that run.
bool happened_in(const Candidate& candidate, const session::FailedRun& run,
                 binary::Symbolizer& symbolizer);

// Options for runs that are steered towards the candidate, without a budget.
explore::ExploreOptions options_for(const Candidate& candidate, const ConfirmOptions& options);

// Whether the program itself failed. A race alone is not a failure of the program, and neither are
// Snag's own errors.
bool is_of_program(FailureKind kind);

// Whether a test framework's output names this place: "file.cc:12" but not "file.cc:120".
bool names(const std::string& output, const std::string& location);

// How close the attempts came to the candidate, as a sentence for the report.
std::string closest(const Candidate& candidate, const explore::DirectedTotals& reached,
                    const Obstacles& obstacles);

}  // namespace snag::active
