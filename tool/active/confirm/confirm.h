// Phase 2: runs that are steered towards one candidate, until it has happened or so many were in
// vain.
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
  explore::ExploreOptions explore;  // of the user; `runs`: of this attempt
  bool by_paper = false;            // assertions by Algorithm 1 of the paper
  // A failure that also comes where no thread interrupts another one says nothing about atomicity.
  std::function<bool(const session::FailedRun&)> comes_anyway = [](const session::FailedRun&) {
    return false;
  };
  // A failure that was met already: it is not kept once more.
  std::function<bool(const session::FailedRun&)> is_known = [](const session::FailedRun&) {
    return false;
  };
};

// What came in the way.
struct Obstacles {
  std::uint64_t failures = 0;  // runs that something else ended
  std::string replay_problem;  // it did happen, but not again
};

struct Attempt {
  std::uint64_t runs = 0;
  explore::DirectedTotals reached;
  Obstacles obstacles;
  // The failure that confirms it, with its trace.
  std::optional<explore::Finding> confirmed;
  // What else failed meanwhile.
  std::vector<explore::Finding> others;
  bool interrupted = false;
  bool suppressed = false;     // it happened, and is not to be told
  std::optional<Error> error;  // what could not be written; the rest is true
};

Expected<Attempt> try_to_confirm(const Candidate& candidate, const ConfirmOptions& options,
                                 binary::Symbolizer& symbolizer,
                                 const explore::ExploreHooks& hooks);

// Whether the failing run is what the candidate is about, by what happened in that very run.
bool happened_in(const Candidate& candidate, const session::FailedRun& run,
                 binary::Symbolizer& symbolizer);

// Runs that are steered towards the candidate, without a budget.
explore::ExploreOptions options_for(const Candidate& candidate, const ConfirmOptions& options);

// Not a race, which is none by itself, and not what Snag has to say about itself.
bool is_of_program(FailureKind kind);

// Whether a test framework's output has this place: "file.cc:12", and not "file.cc:120".
bool names(const std::string& output, const std::string& location);

// The nearest that the attempts came to it, in words.
std::string closest(const Candidate& candidate, const explore::DirectedTotals& reached,
                    const Obstacles& obstacles);

}  // namespace snag::active
