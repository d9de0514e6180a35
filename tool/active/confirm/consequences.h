// What a confirmed race leads to, in both orders of the two accesses.
#pragma once

#include <optional>
#include <string>

#include "tool/active/candidates/candidate.h"
#include "tool/active/confirm/confirm.h"

namespace snag::active {

struct Consequences {
  // Repeatably, one order fails and the other does not, with the same schedule up to the two
  // accesses and the same rule after them.
  bool harmful = false;
  std::string text;                         // one sentence
  std::optional<explore::Finding> failure;  // of that order
};

Expected<Consequences> consequences_of(const Candidate& race, const ConfirmOptions& options,
                                       binary::Symbolizer& symbolizer,
                                       const explore::ExploreHooks& hooks);

}  // namespace snag::active
