#include "runtime/cover_places.h"

#include <string.h>

#include "runtime/arena.h"
#include "runtime/modules.h"

namespace snag::rt {

constinit CoverTables cover_tables;

namespace {

constexpr std::uint32_t kIgnored = UINT32_MAX;

// Beside code_ranges.
struct Places {
  std::uint32_t* locations;  // one for each byte of code; 0: not known yet
  std::uint32_t module;      // index in CoverStore::modules
};
constinit Places places[kMaxRanges]{};
constinit int known_ranges = 0;
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

struct Found {
  const CodeRange* range;
  const Places* places;
  std::uint32_t* location;
};
inline Found find_place(std::uint64_t pc) {
  for (int i = 0; i < known_ranges; ++i) {
    const std::uint64_t offset = pc - code_ranges[i].begin;
    if (offset < code_ranges[i].size)
      return {&code_ranges[i], &places[i], places[i].locations + offset};
  }
  return {};
}

ModulePc store_pc(std::uint64_t pc) {
  const Found found = find_place(pc);
  if (!found.location) return 0;
  const std::uint32_t module = found.places->module;
  return make_module_pc(module, pc - cover_tables.store()->modules[module].base);
}

std::uint32_t location_in_context(std::uint64_t pc, const std::uint64_t* callers,
                                  std::uint32_t depth, std::uint32_t context) {
  ModulePc around[kMaxCoverContext]{};
  for (std::uint32_t i = 0; i < context && i < depth; ++i)
    around[i] = store_pc(callers[depth - 1 - i]);
  return cover_tables.location(store_pc(pc), around);
}

__attribute__((noinline)) std::uint32_t new_location(std::uint64_t pc, std::uint32_t* place) {
  const std::uint32_t location = location_in_context(pc, nullptr, 0, 0);
  // Shared by all threads: whoever comes first, the number is the same.
  __atomic_store_n(place, location, __ATOMIC_RELAXED);
  return location;
}

}  // namespace

void extend_cover_places(const Module* modules) {
  const CoverStore* store = cover_tables.store();
  for (; known_ranges < code_range_count; ++known_ranges) {
    const CodeRange& range = code_ranges[known_ranges];
    Places& added = places[known_ranges];
    added.module = store_module(modules[range.module]);
    if (added.module == kMaxModules) return;
    added.locations = tables_are_shared ? map_shared<std::uint32_t>(range.size)
                                        : map_private<std::uint32_t>(range.size);
    if (!added.locations) out_of_memory();
    for (std::uint32_t i = 0; i < store->config.ignored_count && i < kMaxIgnored; ++i) {
      const ModulePc pc = store->ignored[i];
      if (pc >> 48 != added.module) continue;
      const std::uint64_t offset =
          store->modules[added.module].base + (pc & ((1ull << 48) - 1)) - range.begin;
      if (offset < range.size) added.locations[offset] = kIgnored;
    }
  }
}

void init_cover_places(const Module* modules, bool shared) {
  tables_are_shared = shared;
  extend_cover_places(modules);
}

std::uint32_t cover_location(std::uint64_t pc, const std::uint64_t* callers, std::uint32_t depth) {
  const Found found = find_place(pc);
  if (!found.location) return 0;
  const std::uint32_t known = __atomic_load_n(found.location, __ATOMIC_RELAXED);
  if (known == kIgnored) return 0;
  if (const std::uint32_t context = cover_tables.store()->config.context)
    return location_in_context(pc, callers, depth, context);
  return known != 0 ? known : new_location(pc, found.location);
}

std::uint32_t cover_call_location(std::uint64_t pc, const std::uint64_t* callers,
                                  std::uint32_t depth) {
  return find_place(pc).location ? location_in_context(pc, callers, depth, kMaxCoverContext) : 0;
}

std::uint32_t cover_method(std::uint64_t pc) {
  const Found found = find_place(pc);
  if (!found.location) return 0;
  const std::uint32_t known = __atomic_load_n(found.location, __ATOMIC_RELAXED);
  if (known != 0 && known != kIgnored) return known;
  if (known == kIgnored) return location_in_context(pc, nullptr, 0, 0);
  const std::uint32_t location = new_location(pc, found.location);
  if (location != 0) cover_tables.see(location, kSeenEntry);
  return location;
}

}  // namespace snag::rt
