#include "tool/explore/race_groups.h"

#include <fmt/format.h>

#include <algorithm>

#include "tool/binary/place.h"
#include "tool/binary/variables/raced_memory.h"
#include "tool/explore/raced_variable.h"

namespace snag::explore {

using binary::VariableName;

bool RacedPart::may_be(const RacedPart& other) const {
  if (names.empty() || other.names.empty() || position == other.position) return true;
  return std::any_of(names.begin(), names.end(),
                     [&](const std::string& name) { return other.names.contains(name); });
}

RacedPart RaceGroups::part_of(const session::FailedRun& run) {
  RacedPart part;
  if (run.kind != FailureKind::kRace || !run.race) return part;
  const MemoryReport& memory = run.race->memory;
  part.position = run.race->second.address;
  if (memory.kind == MemoryKind::kHeap) part.position -= memory.begin;
  // The whole block is freed, and no member of it is meant.
  if (run.race->first.is_free != 0 || run.race->second.is_free != 0) return part;
  for (const AccessReport* access : {&run.race->first, &run.race->second}) {
    const VariableName name = variables_.name(run.modules, binary::access_of(*access), memory);
    if (name.says != VariableName::Says::kWhere) part.names.insert(without_indices(name.text));
  }
  return part;
}

RaceGroups::RaceGroups(binary::Symbolizer& symbolizer)
    : symbolizer_(symbolizer), variables_(symbolizer, [this](const std::string& path, int line) {
        return source_.line(path, line);
      }) {}

std::vector<std::string> RaceGroups::keys_of(const session::FailedRun& run) {
  if (run.kind != FailureKind::kRace || !run.race) return {};
  const MemoryReport& memory = run.race->memory;
  const auto [name, access] = binary::raced_memory(*run.race, run.modules, variables_);
  const bool is_free = run.race->first.is_free != 0 || run.race->second.is_free != 0;
  // The whole block is freed, and no member of it is meant.
  if (name.certain && !is_free) return {"variable " + without_indices(name.text)};
  if (memory.kind == MemoryKind::kHeap) {
    const std::span<const std::uint64_t> stack(memory.alloc_stack, memory.alloc_depth);
    const binary::Frame* frame = binary::user_frame(symbolizer_, run.modules, stack);
    if (frame == nullptr) return {};
    return {
        fmt::format("{} {}", is_free ? "freed block of" : "block of", binary::place_text(frame))};
  }
  // Addresses are the same in every run of a server. Those of two servers may differ, and then a
  // variable may have a group for each.
  std::vector<std::string> keys = {fmt::format("T{} {:x}", memory.thread, access->address)};
  // "local `done` of main", of any thread.
  if (memory.kind == MemoryKind::kStack && name.says == VariableName::Says::kVariable)
    keys.push_back(name.text.substr(0, name.text.rfind(',')));
  return keys;
}

std::size_t RaceGroups::group_of(const session::FailedRun& run) {
  const std::vector<std::string> keys = keys_of(run);
  std::size_t group = size_;
  for (const std::string& key : keys) {
    if (const auto known = groups_.find(key); known != groups_.end()) group = known->second;
  }
  if (group == size_) ++size_;
  for (const std::string& key : keys) groups_.try_emplace(key, group);
  return group;
}

}  // namespace snag::explore
