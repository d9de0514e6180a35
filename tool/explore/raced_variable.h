// The static variable of a race: one line may use several.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "tool/binary/variables/variables.h"
#include "tool/session/failed_run.h"

namespace snag::explore {

struct RacedVariable {
  std::string name;  // of the whole variable: "ns::config"
  // What of it was accessed: "ns::config.limits[].max". All elements of an array are the same to a
  // person.
  std::string part;
};

// "a[].b[]" of "a[3].b[4]"
std::string without_indices(std::string_view name);

// Nothing if the memory has no fixed address, and is known only by its place; or if it is not a
// race.
std::optional<RacedVariable> raced_variable(const session::FailedRun& run,
                                            binary::Variables& variables);

}  // namespace snag::explore
