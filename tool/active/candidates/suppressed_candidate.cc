#include "tool/active/candidates/suppressed_candidate.h"

#include <vector>

namespace snag::active {

std::string suppression_of(const Candidate& candidate, const binary::ModuleMap& modules,
                           binary::Symbolizer& symbolizer, suppress::Suppressions& suppressions) {
  const bool is_race = candidate.kind == Kind::kRace;
  if ((!is_race && candidate.kind != Kind::kDeadlock) || suppressions.entries().empty()) return "";
  std::vector<suppress::StackNames> stacks;
  for (const Side& side : candidate.sides) {
    if (side.places.empty()) continue;
    // All places of a side are the same line to a person.
    suppress::StackNames& names = stacks.emplace_back();
    for (const ModulePc pc : side.places.front()) {
      const std::size_t module = pc >> 48;
      if (pc == 0 || module >= modules.modules().size()) break;
      const std::string& path = modules.modules()[module].path;
      for (const binary::Frame& frame : symbolizer.lookup_file(path, (pc & 0xffff'ffff'ffff) - 1))
        names.push_back({frame.function, frame.file, path});
    }
  }
  const suppress::Suppression* found = suppressions.match(
      is_race ? suppress::SuppressionKind::kRace : suppress::SuppressionKind::kDeadlock, stacks,
      candidate.memory);
  return found != nullptr ? found->text() : "";
}

}  // namespace snag::active
