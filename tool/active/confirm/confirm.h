// Phase 2: steers runs towards one candidate until it happens or the budget of runs is used up.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tool/active/candidates/candidate.h"
#include "tool/active/confirm/confirm_kinds.h"
#include "tool/explore/explorer.h"

namespace snag::active {

struct ConfirmOptions {
  explore::ExploreOptions explore;  // as the user set them; `runs`: of this attempt
  bool use_breakpoints = false;     // assertions: use Algorithm 1 of the paper
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

// Options for runs that are steered towards the candidate, without a budget.
explore::ExploreOptions options_for(const Candidate& candidate, const ConfirmOptions& options);

}  // namespace snag::active
