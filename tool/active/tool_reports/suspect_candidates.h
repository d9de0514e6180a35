// Turns another tool's report into candidates of the program.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tool/active/candidates/candidate.h"
#include "tool/active/predict/predict.h"
#include "tool/active/tool_reports/suspect_places.h"
#include "tool/active/tool_reports/tool_report.h"

namespace snag::active {

struct EntryCandidates {
  std::vector<Candidate> candidates;  // each of them matches the entry
  std::string problem;                // why there are no candidates
  // The entry does not say which of these it means, and they are on different variables.
  bool is_unclear = false;
};

// One for each entry. `deadlocks`: the predictions from the runs watched. A tool reports where
// locks were taken, but not always the whole cycle: the predictions provide the rest.
std::vector<EntryCandidates> candidates_of(const ToolReport& report, ReportPlaces& places,
                                           const std::vector<Candidate>& deadlocks);

// Whether the sides that were located are different sides of the candidate.
bool has_sides(const Candidate& candidate, const std::vector<Located>& sides);

}  // namespace snag::active
