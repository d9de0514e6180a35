#include "tool/active/confirm/confirm_kinds.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace snag::active {

using session::FailedRun;

bool has_place(const Side& side, ModulePc pc) {
  return std::any_of(side.places.begin(), side.places.end(),
                     [&](const CodePlace& place) { return place.front() == pc; });
}

bool is_of_program(FailureKind kind) {
  return !has_trait(kind, kNotOfProgram) && kind != FailureKind::kRace;
}

bool names(const std::string& output, const std::string& location) {
  const auto is_part = [&](std::size_t at, auto is_more) {
    return at < output.size() && is_more(static_cast<unsigned char>(output[at]));
  };
  for (std::size_t at = output.find(location); at != std::string::npos;
       at = output.find(location, at + 1)) {
    const bool begins_before =
        at > 0 && is_part(at - 1, [](int c) { return std::isalnum(c) || c == '_' || c == '-'; });
    const bool goes_on = is_part(at + location.size(), [](int c) { return std::isdigit(c) != 0; });
    if (!begins_before && !goes_on) return true;
  }
  return false;
}

bool happened_in(const Candidate& candidate, const FailedRun& run, binary::Symbolizer& symbolizer) {
  switch (candidate.kind) {
#define SNAG_CASE(kind, word, ...) \
  case Kind::kind:                 \
    return happened_as_##word(candidate, run, symbolizer);
    SNAG_CANDIDATE_KINDS(SNAG_CASE)
#undef SNAG_CASE
  }
  return false;
}

std::string closest(const Candidate& candidate, const explore::DirectedTotals& reached,
                    const Obstacles& obstacles) {
  if (!obstacles.replay_problem.empty())
    return fmt::format("it happened, but did not come again: {}", obstacles.replay_problem);
  for (std::size_t i = 0; i < candidate.sides.size(); ++i) {
    if ((reached.arrived >> i & 1) == 0)
      return fmt::format("no thread reached the place where it {}", candidate.sides[i].text);
  }
  switch (candidate.kind) {
#define SNAG_CASE(kind, word, ...) \
  case Kind::kind:                 \
    return closest_##word(candidate, reached, obstacles);
    SNAG_CANDIDATE_KINDS(SNAG_CASE)
#undef SNAG_CASE
  }
  return "";
}

}  // namespace snag::active
