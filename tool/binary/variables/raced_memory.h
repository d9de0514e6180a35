// The name of the memory that a race or a heap error is about.
#pragma once

#include "protocol/shared_memory.h"
#include "tool/binary/module_map.h"
#include "tool/binary/variables/variables.h"

namespace snag::binary {

// The access of a report, as names of variables need it. It refers to the report.
Access access_of(const AccessReport& report);

struct RacedMemory {
  VariableName name;
  const AccessReport* access;  // of the race, with that name: the other access may be bigger
};

// Both places name the same memory: the name that says more.
RacedMemory raced_memory(const RaceReport& race, const ModuleMap& modules, Variables& variables);

}  // namespace snag::binary
