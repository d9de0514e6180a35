#include "tool/active/candidates/place_names.h"

#include <fmt/format.h>

#include "tool/binary/place.h"

namespace snag::active {

std::string access_text(const WatchEvent& event, PlaceNames& names) {
  const std::string& variable = names.variable(event.address, event.size);
  if (event.kind == WatchKind::kFree)
    return fmt::format("gives memory back at {}", names.text(event.place));
  const char* verb = (event.flags & kWatchWrite) != 0 ? "writes" : "reads";
  return fmt::format("{} {} at {}", verb, variable.empty() ? "memory" : variable,
                     names.text(event.place));
}

const NamedPlace& PlaceNames::place(std::uint32_t id) {
  const auto [entry, is_new] = places_.try_emplace(id);
  NamedPlace& result = entry->second;
  if (!is_new) return result;
  for (const std::uint64_t pc : observation_.place(id)) {
    if (modules_.module_at(pc) == nullptr) break;
    if (!result.is_users && result.code.size() < kStepFrames) result.code.push_back(pc);
    for (const binary::Frame& frame : symbolizer_.lookup_code(modules_, pc)) {
      if (!result.is_users && binary::is_user_frame(frame)) {
        result.is_users = true;
        result.shown = result.frames.size();
      }
      result.frames.push_back(frame);
    }
  }
  return result;
}

std::string PlaceNames::text(std::uint32_t id) {
  return binary::place_in_function(place(id).frame());
}

const std::string& PlaceNames::variable(std::uint64_t address, std::uint32_t size) {
  const auto [entry, is_new] = names_.try_emplace(address);
  if (is_new) {
    if (const auto name = variables_.global(modules_, address, size); name && name->certain)
      entry->second = name->text;
  }
  return entry->second;
}

const MemoryPart& PlaceNames::variable_part(std::uint64_t address) {
  const auto [entry, is_new] = parts_.try_emplace(address);
  if (!is_new) return entry->second;
  entry->second.kind = MemoryPart::Kind::kHeap;
  if (const auto variable = variables_.variable_at(modules_, address)) {
    entry->second = {MemoryPart::Kind::kVariable, simple_name(variable->name), variable->offset, 0};
  }
  return entry->second;
}

}  // namespace snag::active
