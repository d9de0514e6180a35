#include "tool/explore/raced_variable.h"

namespace snag::explore {

std::string without_indices(std::string_view name) {
  std::string result;
  int depth = 0;
  for (const char c : name) {
    if (c == ']' && depth > 0) --depth;
    if (depth == 0) result += c;
    if (c == '[') ++depth;
  }
  return result;
}

std::optional<RacedVariable> raced_variable(const session::FailedRun& run,
                                            binary::Variables& variables) {
  if (run.kind != FailureKind::kRace || !run.race) return std::nullopt;
  const AccessReport& access = run.race->second;
  const auto variable = variables.variable_at(run.modules, access.address);
  const auto part = variables.global(run.modules, access.address, access.size);
  if (!variable || !part || !part->certain) return std::nullopt;
  return RacedVariable{variable->name, without_indices(part->text)};
}

}  // namespace snag::explore
