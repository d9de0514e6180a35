#include "tool/active/candidates/raced_variable.h"

#include "tool/active/candidates/memory_part.h"
#include "tool/binary/variables/variables.h"

namespace snag::active {

std::string raced_variable(const session::FailedRun& run, binary::Symbolizer& symbolizer) {
  if (run.kind != FailureKind::kRace || !run.race) return "";
  binary::Variables variables(symbolizer, [](const std::string&, int) { return std::string(); });
  const auto variable = variables.variable_at(run.modules, run.race->second.address);
  return variable ? simple_name(variable->name) : "";
}

}  // namespace snag::active
