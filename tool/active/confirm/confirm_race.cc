// Implements tool/active/confirm/confirm_kinds.h: candidates of the kind "race".
#include <fmt/format.h>

#include "tool/active/candidates/memory_part.h"
#include "tool/active/confirm/confirm_kinds.h"
#include "tool/explore/raced_variable.h"

namespace snag::active {
namespace {

bool are_at(const Candidate& race, ModulePc a, ModulePc b) {
  const std::vector<Side>& sides = race.sides;
  return (has_place(sides[0], a) && has_place(sides[1], b)) ||
         (has_place(sides[0], b) && has_place(sides[1], a));
}

}  // namespace

std::string raced_variable_of(const session::FailedRun& run, binary::Symbolizer& symbolizer) {
  binary::Variables variables(symbolizer);
  const auto variable = explore::raced_variable(run, variables);
  return variable ? simple_name(variable->name) : "";
}

bool is_on_variable(const Candidate& race, const session::FailedRun& run,
                    binary::Symbolizer& symbolizer) {
  return race.variable.empty() || raced_variable_of(run, symbolizer) == race.variable;
}

bool uses_what_is_freed(const Candidate& race, const session::FailedRun& run) {
  if (race.kind != Kind::kRace || run.kind != FailureKind::kHeap || !run.heap ||
      run.heap->error != HeapError::kUseAfterFree)
    return false;
  const MemoryReport& memory = run.heap->memory;
  for (std::uint16_t i = 0; i < memory.free_depth && i < kMaxStackDepth; ++i) {
    const ModulePc pc = run.modules.to_module_pc(memory.free_stack[i]);
    for (const Side& side : race.sides) {
      if (has_place(side, pc)) return true;
    }
  }
  return false;
}

// If one side frees the memory, the other may come first, which is a race, or too late, which is a
// use after free.
bool happened_as_race(const Candidate& candidate, const session::FailedRun& run,
                      binary::Symbolizer& symbolizer) {
  if (run.kind == FailureKind::kRace && run.race) {
    return are_at(candidate, run.modules.to_module_pc(run.race->first.stack[0]),
                  run.modules.to_module_pc(run.race->second.stack[0])) &&
           is_on_variable(candidate, run, symbolizer);
  }
  if (run.kind != FailureKind::kHeap || !run.heap || run.heap->access.depth == 0) return false;
  const MemoryReport& memory = run.heap->memory;
  const ModulePc late = run.modules.to_module_pc(run.heap->access.stack[0]);
  for (std::uint16_t i = 0; i < memory.free_depth && i < kMaxStackDepth; ++i) {
    if (are_at(candidate, late, run.modules.to_module_pc(memory.free_stack[i]))) return true;
  }
  return false;
}

std::string closest_race(const Candidate&, const explore::DirectedTotals& reached,
                         const Obstacles& obstacles) {
  if (reached.happened == 0)
    return "threads reached both places, but never at the same time for the same memory";
  if (obstacles.failures > 0) {
    return fmt::format(
        "both threads were there at the same time, and something else failed then; it did in {} "
        "of the runs",
        obstacles.failures);
  }
  return "both threads were there at the same time, but that is not a race: both accesses are "
         "atomic, or of different bytes";
}

}  // namespace snag::active
