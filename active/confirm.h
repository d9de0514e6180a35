// Phase 2: runs that are steered towards one candidate, until it has happened or so many were in
// vain.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "active/candidate.h"
#include "engine/explorer.h"

namespace snag::active {

struct ConfirmOptions {
  engine::ExploreOptions explore;  // of the user; `runs`: of this attempt
  bool by_paper = false;           // assertions by Algorithm 1 of the paper
};

struct Attempt {
  std::uint64_t runs = 0;
  engine::DirectedTotals reached;
  // The failure that confirms it, with its trace.
  std::optional<engine::Finding> confirmed;
  // What else failed meanwhile.
  std::vector<engine::Finding> others;
  bool interrupted = false;
  bool suppressed = false;             // it happened, and is not to be told
  std::optional<engine::Error> error;  // what could not be written; the rest is true
};

engine::Expected<Attempt> try_to_confirm(const Candidate& candidate, const ConfirmOptions& options,
                                         engine::Symbolizer& symbolizer,
                                         const engine::ExploreHooks& hooks);

// What becomes of a race that was confirmed, in both orders of the two accesses.
struct Consequences {
  bool harmful = false;
  std::string text;  // one sentence
  std::optional<engine::Finding> failure;
};
engine::Expected<Consequences> consequences_of(const Candidate& race, const ConfirmOptions& options,
                                               engine::Symbolizer& symbolizer,
                                               const engine::ExploreHooks& hooks);

// The nearest that the attempts came to it, in words.
std::string closest(const Candidate& candidate, const engine::DirectedTotals& reached);

}  // namespace snag::active
