#include "tool/active/tool_reports/suspect_candidates.h"

#include <fmt/format.h>

#include <algorithm>

namespace snag::active {
namespace {

// How many cycles one entry may stand for.
constexpr std::size_t kMaxCircles = 4;

Candidate candidate_of(Kind kind, std::vector<Located> sides) {
  Candidate candidate;
  candidate.kind = kind;
  for (Located& side : sides)
    candidate.sides.push_back({std::move(side.places), std::move(side.text)});
  if (kind == Kind::kRace && candidate.sides[1].text < candidate.sides[0].text)
    std::swap(candidate.sides[0], candidate.sides[1]);
  for (const Side& side : candidate.sides) {
    if (!candidate.title.empty()) candidate.title += kind == Kind::kRace ? ", and " : ", ";
    candidate.title += candidate.title.empty() ? "one thread " : "another one ";
    candidate.title += side.text;
  }
  return candidate;
}

EntryCandidates race_of(const ReportEntry& entry, ReportPlaces& places) {
  LocatedRaces located = places.race(entry);
  EntryCandidates result;
  for (LocatedRace& race : located.races) {
    result.candidates.push_back(
        candidate_of(Kind::kRace, {std::move(race.one), std::move(race.other)}));
    result.candidates.back().variable = std::move(race.variable);
    result.candidates.back().memory = std::move(race.memory);
  }
  if (result.candidates.empty()) result.problem = std::move(located.problem);
  result.is_unclear = result.candidates.size() > 1;
  return result;
}

EntryCandidates deadlock_of(const ReportEntry& entry, ReportPlaces& places,
                            const std::vector<Candidate>& deadlocks) {
  std::vector<Located> sides;
  for (const ReportSide& side : entry.sides) {
    sides.push_back(places.lock(side));
    if (sides.back().places.empty()) return {{}, sides.back().problem};
  }
  EntryCandidates result;
  for (const Candidate& circle : deadlocks) {
    if (result.candidates.size() < kMaxCircles && has_sides(circle, sides))
      result.candidates.push_back(circle);
  }
  // The tool has seen the shortest ones.
  std::size_t shortest = SIZE_MAX;
  for (const Candidate& circle : result.candidates)
    shortest = std::min(shortest, circle.sides.size());
  std::erase_if(result.candidates,
                [&](const Candidate& circle) { return circle.sides.size() > shortest; });
  if (!result.candidates.empty()) return result;
  if (sides.size() == 1) sides.push_back(sides.front());
  result.candidates.push_back(candidate_of(Kind::kDeadlock, std::move(sides)));
  return result;
}

}  // namespace

bool has_sides(const Candidate& candidate, const std::vector<Located>& sides) {
  std::vector<bool> is_taken(candidate.sides.size());
  for (const Located& side : sides) {
    bool found = false;
    for (std::size_t i = 0; i < candidate.sides.size() && !found; ++i) {
      const auto& places = candidate.sides[i].places;
      if (is_taken[i]) continue;
      found = std::any_of(side.places.begin(), side.places.end(), [&](const CodePlace& place) {
        return std::find(places.begin(), places.end(), place) != places.end();
      });
      is_taken[i] = found;
    }
    if (!found) return false;
  }
  return true;
}

std::vector<EntryCandidates> candidates_of(const ToolReport& report, ReportPlaces& places,
                                           const std::vector<Candidate>& deadlocks) {
  std::vector<EntryCandidates> result;
  result.reserve(report.entries.size());
  for (const ReportEntry& entry : report.entries) {
    if (entry.sides.empty())
      result.push_back(
          {{}, "the report names no line there: make it again with -g, and do not truncate it"});
    else if (entry.kind == Kind::kRace)
      result.push_back(race_of(entry, places));
    else
      result.push_back(deadlock_of(entry, places, deadlocks));
  }
  return result;
}

}  // namespace snag::active
