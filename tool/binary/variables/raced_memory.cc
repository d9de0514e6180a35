#include "tool/binary/variables/raced_memory.h"

namespace snag::binary {

Access access_of(const AccessReport& report) {
  // An atomic operation may do both. Where memory is freed, the source names the pointer.
  const bool is_either = report.sync != SyncKind::kNone || report.atomic != 0;
  const std::size_t depth = report.is_free != 0 ? 0 : report.depth;
  const AccessKind kind = is_either           ? AccessKind::kOther
                          : report.write != 0 ? AccessKind::kWrite
                                              : AccessKind::kRead;
  return {report.address, report.size, report.thread, kind, std::span(report.stack, depth)};
}

RacedMemory raced_memory(const RaceReport& race, const ModuleMap& modules, Variables& variables) {
  VariableName second = variables.name(modules, access_of(race.second), race.memory);
  if (second.certain && race.second.is_free == 0) return {second, &race.second};
  VariableName first = variables.name(modules, access_of(race.first), race.memory);
  const bool is_first = race.second.is_free != 0 || first.is_better_than(second);
  return is_first ? RacedMemory{first, &race.first} : RacedMemory{second, &race.second};
}

}  // namespace snag::binary
