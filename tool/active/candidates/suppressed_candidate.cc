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
      const binary::ModuleInfo* module = modules.module_at(pc);
      if (module == nullptr) break;
      for (const binary::Frame& frame : symbolizer.lookup_code(modules, pc))
        names.push_back({frame.function, frame.file, module->path});
    }
  }
  const suppress::Suppression* found = suppressions.match(*kind, stacks, candidate.memory);
  return found != nullptr ? found->text() : "";
}

}  // namespace snag::active
