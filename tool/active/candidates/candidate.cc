#include "tool/active/candidates/candidate.h"

#include <algorithm>
#include <map>
#include <set>

namespace snag::active {

std::string Candidate::key() const {
  std::string result(name_of(kind));
  for (const Side& side : sides) result += " | " + side.text;
  return result;
}

Directed directed_of(const Candidate& candidate) {
  Directed result{};
  result.kind = row_of(candidate.kind).directed;
  result.any_memory = candidate.any_memory ? 1 : 0;
  for (const Side& from : candidate.sides) {
    if (result.sides == kMaxDirectedSides) break;
    DirectedSide& side = result.side[result.sides++];
    for (const CodePlace& place : from.places) {
      if (side.count == kMaxDirectedPlaces) break;
      DirectedPlace& to = side.places[side.count++];
      to.depth = static_cast<std::uint32_t>(std::min<std::size_t>(place.size(), kStepFrames));
      std::copy_n(place.begin(), to.depth, to.frames);
    }
  }
  return result;
}

std::vector<ModulePc> points_of(const Candidate& candidate) {
  if (row_of(candidate.kind).has(kAtLocks)) return {};
  std::set<ModulePc> points;
  for (const Side& side : candidate.sides) {
    for (const CodePlace& place : side.places) {
      if (!place.empty()) points.insert(place.front());
    }
  }
  return {points.begin(), points.end()};
}

void add_places(Candidate& to, Candidate from) {
  for (std::size_t i = 0; i < to.sides.size() && i < from.sides.size(); ++i) {
    auto& places = to.sides[i].places;
    for (CodePlace& place : from.sides[i].places) {
      if (std::find(places.begin(), places.end(), place) == places.end())
        places.push_back(std::move(place));
    }
  }
}

std::vector<Candidate> united(std::vector<Candidate> candidates) {
  std::map<std::string, std::size_t> known;
  std::vector<Candidate> result;
  for (Candidate& candidate : candidates) {
    const auto [entry, is_new] = known.try_emplace(candidate.key(), result.size());
    if (is_new) {
      result.push_back(std::move(candidate));
      continue;
    }
    Candidate& same = result[entry->second];
    same.promise = std::max(same.promise, candidate.promise);
    add_places(same, std::move(candidate));
  }
  std::stable_sort(result.begin(), result.end(),
                   [](const Candidate& a, const Candidate& b) { return a.promise > b.promise; });
  return result;
}

}  // namespace snag::active
