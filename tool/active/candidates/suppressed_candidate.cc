#include "tool/active/candidates/suppressed_candidate.h"

#include <vector>

namespace snag::active {

std::string suppression_of(const Candidate& candidate, const binary::ModuleMap& modules,
                           binary::Symbolizer& symbolizer, suppress::Suppressions& suppressions) {
  const auto kind = row_of(candidate.kind).suppression;
  if (!kind || suppressions.entries().empty()) return "";
  std::vector<suppress::StackNames> stacks;
  for (const Side& side : candidate.sides) {
    if (side.places.empty()) continue;
    // All places of a side are the same source line.
    suppress::StackNames& names = stacks.emplace_back();
    for (const ModulePc pc : side.places.front()) {
      const std::size_t module = module_of(pc);
      if (pc == 0 || module >= modules.modules().size()) break;
      const std::string& path = modules.modules()[module].path;
      for (const binary::Frame& frame : symbolizer.lookup_file(path, offset_of(pc) - 1))
        names.push_back({frame.function, frame.file, path});
    }
  }
  const suppress::Suppression* found = suppressions.match(*kind, stacks, candidate.memory);
  return found != nullptr ? found->text() : "";
}

}  // namespace snag::active
