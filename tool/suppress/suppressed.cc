#include "tool/suppress/suppressed.h"

#include <optional>
#include <span>

#include "tool/binary/variables/variables.h"

namespace snag::suppress {
namespace {

// libstdc++ 12 gives the lock inside atomic<shared_ptr> back by a relaxed operation.
// Its std::ctype remembers characters that it has converted without a lock, in any order.
constexpr std::string_view kBuiltIn = "race:^std::_Sp_atomic::\nrace_top:^std::ctype\n";

std::optional<SuppressionKind> suppression_kind(FailureKind kind) {
  switch (kind) {
    case FailureKind::kRace:
      return SuppressionKind::kRace;
    case FailureKind::kHeap:
      return SuppressionKind::kHeap;
    case FailureKind::kLockMisuse:
      return SuppressionKind::kLock;
    case FailureKind::kDeadlock:
    case FailureKind::kLateWakeup:
      return SuppressionKind::kDeadlock;
    default:
      return std::nullopt;
  }
}

StackNames names_of(const binary::ModuleMap& modules, std::span<const std::uint64_t> stack,
                    binary::Symbolizer& symbolizer) {
  StackNames names;
  for (const std::uint64_t address : stack) {
    const binary::ModuleInfo* module = modules.module_at(modules.to_module_pc(address));
    const std::string_view path = module != nullptr ? std::string_view(module->path) : "";
    for (const binary::Frame& frame : symbolizer.lookup(modules, address))
      names.push_back({frame.function, frame.file, path});
  }
  return names;
}

std::vector<StackNames> stacks_of(const session::FailedRun& run, binary::Symbolizer& symbolizer) {
  std::vector<StackNames> stacks;
  const auto add = [&](const std::uint64_t* stack, std::uint16_t depth) {
    stacks.push_back(names_of(run.modules, {stack, depth}, symbolizer));
  };
  if (run.kind == FailureKind::kRace && run.race) {
    add(run.race->first.stack, run.race->first.depth);
    add(run.race->second.stack, run.race->second.depth);
  } else if (run.kind == FailureKind::kHeap && run.heap) {
    add(run.heap->access.stack, run.heap->access.depth);
    add(run.heap->memory.alloc_stack, run.heap->memory.alloc_depth);
    add(run.heap->memory.free_stack, run.heap->memory.free_depth);
  } else {
    for (const ThreadReport& thread : run.threads) {
      if (run.concerns(thread)) add(thread.stack, thread.depth);
    }
  }
  return stacks;
}

}  // namespace

Suppressions built_in_suppressions() { return *Suppressions::parse(kBuiltIn, "built in"); }

const Suppression* find_suppression(const session::FailedRun& run, binary::Symbolizer& symbolizer,
                                    Suppressions& suppressions) {
  const auto kind = suppression_kind(run.kind);
  if (!kind || suppressions.entries().empty()) return nullptr;
  std::string variable;
  // Only globals are compared, and these are found without the source.
  const auto take_name = [&](std::uint64_t address, std::uint32_t size) {
    binary::Variables variables(symbolizer);
    if (const auto name = variables.global(run.modules, address, size)) variable = name->text;
  };
  if (run.kind == FailureKind::kRace && run.race)
    take_name(run.race->second.address, run.race->second.size);
  if (run.kind == FailureKind::kLockMisuse && run.lock != 0) take_name(run.lock, 1);
  return suppressions.match(*kind, stacks_of(run, symbolizer), variable);
}

const Suppression* find_suppression(const session::LockOrder& order, binary::Symbolizer& symbolizer,
                                    Suppressions& suppressions) {
  if (suppressions.entries().empty()) return nullptr;
  std::vector<StackNames> stacks;
  for (const LockOrderReport::Side& side : order.sides()) {
    stacks.push_back(names_of(order.modules, {side.stack, side.depth}, symbolizer));
    stacks.push_back(names_of(order.modules, side.held_stack, symbolizer));
  }
  return suppressions.match(SuppressionKind::kDeadlock, stacks, "");
}

const Suppression* find_suppression(const session::LateWakeup& late, binary::Symbolizer& symbolizer,
                                    Suppressions& suppressions) {
  if (suppressions.entries().empty()) return nullptr;
  const LateWakeupReport& report = late.report;
  const StackNames stacks[] = {names_of(late.modules, {report.stack, report.depth}, symbolizer),
                               names_of(late.modules, {&report.signal_pc, 1}, symbolizer)};
  return suppressions.match(SuppressionKind::kDeadlock, stacks, "");
}

}  // namespace snag::suppress
