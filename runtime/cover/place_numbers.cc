#include "runtime/cover/place_numbers.h"

#include <string.h>

#include "runtime/base/arena.h"
#include "runtime/base/modules.h"

namespace snag::rt {

constinit CoverTables cover_tables;

namespace {

constexpr std::uint32_t kIgnored = UINT32_MAX;

// Beside code_ranges: a number for each byte of code; 0: not known yet.
constinit std::uint32_t* range_locations[kMaxRanges]{};
constinit int known_ranges = 0;
// Of the modules of this process: their numbers in the store.
constinit const Module* own_modules = nullptr;
constinit std::uint32_t store_modules[kMaxModules]{};
constinit std::uint32_t known_modules = 0;
constinit bool tables_are_shared = false;

// Modules have the same number in all processes that share the store, whatever else they load.
std::uint32_t store_module(const Module& module) {
  CoverStore* store = cover_tables.store();
  const std::uint32_t count = store->module_count;
  for (std::uint32_t i = 0; i < count; ++i) {
    Module& known = store->modules[i];
    if (strncmp(known.path, module.path, sizeof known.path) != 0) continue;
    known = module;
    return i;
  }
  if (count == kMaxModules) return kMaxModules;
  store->modules[count] = module;
  store->module_count = count + 1;
  return count;
}

// Null if it is not in instrumented code.
inline std::uint32_t* find_place(std::uint64_t pc) {
  for (int i = 0; i < known_ranges; ++i) {
    const std::uint64_t offset = pc - code_ranges[i].begin;
    if (offset < code_ranges[i].size) return range_locations[i] + offset;
  }
  return nullptr;
}

ModulePc store_pc(std::uint64_t pc) {
  for (std::uint32_t i = 0; i < known_modules; ++i) {
    const Module& module = own_modules[i];
    if (pc >= module.begin && pc < module.end)
      return make_module_pc(store_modules[i], pc - module.base);
  }
  return make_module_pc(0xffff, 0);
}

std::uint32_t location_in_context(std::uint64_t pc, CoverCallers callers, std::uint32_t context) {
  ModulePc around[kMaxCoverContext]{};
  for (std::uint32_t i = 0; i < context && i < callers.depth; ++i)
    around[i] = store_pc(callers.calls[callers.depth - 1 - i]);
  return cover_tables.location(store_pc(pc), around);
}

__attribute__((noinline)) std::uint32_t new_location(std::uint64_t pc, std::uint32_t* place) {
  const std::uint32_t location = location_in_context(pc, {}, 0);
  // Shared by all threads: the number does not depend on which thread comes first.
  __atomic_store_n(place, location, __ATOMIC_RELAXED);
  return location;
}

}  // namespace

void extend_cover_places(const Module* modules, std::uint32_t count) {
  const CoverStore* store = cover_tables.store();
  own_modules = modules;
  for (; known_modules < count; ++known_modules)
    store_modules[known_modules] = store_module(modules[known_modules]);
  for (; known_ranges < code_range_count; ++known_ranges) {
    const CodeRange& range = code_ranges[known_ranges];
    auto* locations = tables_are_shared ? map_shared<std::uint32_t>(range.size)
                                        : map_private<std::uint32_t>(range.size);
    const Module& module = modules[range.module];
    for (std::uint32_t i = 0; i < store->config.ignored_count && i < kMaxIgnored; ++i) {
      const ModulePc pc = store->ignored[i];
      if (module_of(pc) != store_modules[range.module]) continue;
      const std::uint64_t offset = module.base + offset_of(pc) - range.begin;
      if (offset < range.size) locations[offset] = kIgnored;
    }
    range_locations[known_ranges] = locations;
  }
}

void init_cover_places(const Module* modules, std::uint32_t count, bool shared) {
  tables_are_shared = shared;
  extend_cover_places(modules, count);
}

std::uint32_t cover_location(std::uint64_t pc, CoverCallers callers, std::uint32_t seen) {
  std::uint32_t* place = find_place(pc);
  if (!place) return 0;
  const std::uint32_t known = __atomic_load_n(place, __ATOMIC_RELAXED);
  const std::uint32_t context = cover_tables.store()->config.context;
  if (known == kIgnored) {
    const std::uint32_t location = location_in_context(pc, callers, context);
    if (location != 0) cover_tables.see(location, seen);
    return 0;
  }
  const std::uint32_t location = context != 0 ? location_in_context(pc, callers, context)
                                 : known != 0 ? known
                                              : new_location(pc, place);
  if (location != 0) cover_tables.see(location, seen);
  return location;
}

std::uint32_t cover_call_location(std::uint64_t pc, CoverCallers callers) {
  return location_in_context(pc, callers, kMaxCoverContext);
}

std::uint32_t cover_method(std::uint64_t pc, CoverCallers callers) {
  std::uint32_t* place = find_place(pc);
  if (!place) return 0;
  std::uint32_t location = __atomic_load_n(place, __ATOMIC_RELAXED);
  if (location == kIgnored) {
    location = location_in_context(pc, {}, 0);
  } else if (location == 0) {
    location = new_location(pc, place);
  }
  if (location == 0) return 0;
  const std::uint32_t context = cover_tables.store()->config.context;
  const std::uint32_t line = context != 0 ? location_in_context(pc, callers, context) : location;
  if (line != 0) cover_tables.see(line, kSeenEntry);
  return location;
}

}  // namespace snag::rt
