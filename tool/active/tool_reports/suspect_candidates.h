// From another tool's report to candidates of the program.
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
  std::vector<Candidate> candidates;  // each of them would be what the entry says
  std::string problem;                // why there is none
  // The entry does not say which of these it is, and they are of different variables.
  bool is_unclear = false;
};

// One for each entry. `deadlocks`: what was predicted from the runs watched. A tool tells where the
// locks were taken, but not always all of a circle: the rest is known from there.
std::vector<EntryCandidates> candidates_of(const ToolReport& report, ReportPlaces& places,
                                           const std::vector<Candidate>& deadlocks);

// Whether the sides that were located are different sides of the candidate.
bool has_sides(const Candidate& candidate, const std::vector<Located>& sides);

}  // namespace snag::active
