// What becomes of a race that was confirmed, in both orders of the two accesses.
#pragma once

#include <optional>
#include <string>

#include "tool/active/candidates/candidate.h"
#include "tool/active/confirm/confirm.h"

namespace snag::active {

struct Consequences {
  // One order fails and the other one does not, with the same schedule up to the two accesses and
  // the same rule after them; again and again.
  bool harmful = false;
  std::string text;                         // one sentence
  std::optional<explore::Finding> failure;  // of that order
};

Expected<Consequences> consequences_of(const Candidate& race, const ConfirmOptions& options,
                                       binary::Symbolizer& symbolizer,
                                       const explore::ExploreHooks& hooks);

}  // namespace snag::active
