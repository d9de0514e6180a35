#include "tool/coverage/measure/collector.h"

#include <fmt/format.h>
#include <time.h>

#include <algorithm>

#include "tool/binary/program_check.h"

namespace snag::coverage {
namespace {

std::uint64_t now_us(const CoverStore& store) {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  const std::uint64_t ns = static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 +
                           static_cast<std::uint64_t>(now.tv_nsec);
  return ns > store.begin_ns ? (ns - store.begin_ns) / 1000 : 0;
}

// One name for all elements of an array: "table[]" for "table[17]".
std::string without_indices(const std::string& name) {
  std::string result;
  bool is_inside = false;
  for (const char c : name) {
    if (c == ']') is_inside = false;
    if (!is_inside) result += c;
    if (c == '[') is_inside = true;
  }
  return result;
}

// The metric comes from shared memory: it may be anything.
bool has_variable(Metric metric) {
  return metric < Metric::kCount && row_of(metric).has(kOfAccesses);
}

}  // namespace

std::string common_name(const std::vector<std::string>& first,
                        const std::vector<std::string>& second) {
  // One may name the container, the other one its element.
  const auto base = [](std::string_view name) {
    while (name.ends_with("[]")) name.remove_suffix(2);
    return name;
  };
  std::string common;
  for (const std::string& a : first) {
    for (const std::string& b : second) {
      if (base(a) != base(b)) continue;
      if (!common.empty() && base(common) != base(a)) return "";
      common = std::max({common, a, b}, [](const std::string& x, const std::string& y) {
        return x.size() < y.size();
      });
    }
  }
  if (!common.empty()) return common;
  if (second.size() != 1) return first.size() == 1 ? first[0] : "";
  // A member of a class says more than a name that is only known in a function.
  const bool prefers_first = first.size() == 1 && second[0].find("::") == std::string::npos &&
                             first[0].find("::") != std::string::npos;
  return prefers_first ? first[0] : second[0];
}

Collector::Collector(CoverData& data, ShardId shard, binary::Symbolizer& symbolizer)
    : data_(data),
      shard_(shard),
      places_(data, symbolizer),
      variables_(symbolizer,
                 [this](const std::string& path, int line) { return source_.line(path, line); }) {}

Expected<void> Collector::collect(const CoverStore& store, const binary::ModuleMap& modules) {
  if (auto collected = collect_locations(store, modules); !collected)
    return tl::unexpected(collected.error());
  collect_pairs(store, modules);
  return {};
}

Expected<void> Collector::note_module(std::uint32_t index, const std::string& path) {
  if (index >= known_modules_.size()) known_modules_.resize(index + 1);
  if (known_modules_[index]) return {};
  known_modules_[index] = true;
  const auto hash = binary::hash_file(path);
  if (!hash) return {};  // the file is gone: its locations are shown without source
  if (!data_.add_module(path, *hash, false)) {
    return usage_error(
        fmt::format("the data file is of another build of '{}': give a new one with -o", path));
  }
  return {};
}

const Chain* Collector::chain_at(ModulePc pc, const binary::ModuleMap& modules) {
  const std::uint32_t module = module_of(pc);
  if (pc == 0 || module >= modules.modules().size()) return nullptr;
  return &places_.chain(modules.modules()[module].path, offset_of(pc));
}

Expected<LocationId> Collector::translate(const CoverLocation& from,
                                          const binary::ModuleMap& modules, std::uint32_t seen) {
  const Chain* chain = chain_at(from.pc, modules);
  if (chain == nullptr) return kNone;
  const std::string& path = modules.modules()[module_of(from.pc)].path;
  if (auto noted = note_module(module_of(from.pc), path); !noted)
    return tl::unexpected(noted.error());
  Location location;
  location.frames = *chain;
  location.kind = places_.kind_at(path, offset_of(from.pc))
                      .value_or((seen & kSeenEntry) != 0  ? LocationKind::kEntry
                                : (seen & kSeenLock) != 0 ? LocationKind::kLock
                                                          : LocationKind::kAccess);
  const bool has_users = std::any_of(chain->begin(), chain->end(),
                                     [&](const Place& place) { return places_.is_users(place); });
  std::size_t next = 0;
  // Locks are taken in library code that many places call: the user's own code is further out.
  if (!has_users && location.kind == LocationKind::kLock) {
    for (bool found = false; !found && next < kMaxCoverContext; ++next) {
      const Chain* caller = chain_at(from.callers[next], modules);
      if (caller == nullptr) break;
      location.frames.insert(location.frames.end(), caller->begin(), caller->end());
      found = std::any_of(caller->begin(), caller->end(),
                          [&](const Place& place) { return places_.is_users(place); });
    }
  }
  location.shown = places_.shown(location.frames);
  for (; next < data_.build.context; ++next) {
    const Chain* caller = chain_at(from.callers[next], modules);
    if (caller == nullptr) break;
    location.callers.push_back(*caller);
  }
  return data_.add_location(std::move(location));
}

Expected<std::optional<LocationId>> Collector::locate(ModulePc pc,
                                                      std::span<const ModulePc> callers,
                                                      const binary::ModuleMap& modules) {
  CoverLocation from{};
  from.pc = pc;
  std::copy_n(callers.begin(), std::min<std::size_t>(callers.size(), kMaxCoverContext),
              from.callers);
  const auto found = translate(from, modules, 0);
  if (!found) return tl::unexpected(found.error());
  return *found == kNone ? std::nullopt : std::optional(*found);
}

Expected<void> Collector::collect_locations(const CoverStore& store,
                                            const binary::ModuleMap& modules) {
  const std::uint32_t count = std::min(store.location_count.load(), kMaxCoverLocations);
  if (count > locations_.size()) {
    locations_.resize(count, kNone);
    seen_.resize(count, 0);
  }
  const Moment now{shard_, now_us(store), store.calls.load(), store.run.load()};
  for (std::uint32_t i = 1; i < count; ++i) {
    const CoverLocation& from = store.locations[i];
    const std::uint32_t seen = from.seen.load() & kAllSeen;
    if (from.ready.load() == 0) continue;
    if (locations_[i] == kNone) {
      auto translated = translate(from, modules, seen);
      if (!translated) return tl::unexpected(translated.error());
      locations_[i] = *translated;
      if (*translated == kNone) continue;
    }
    if (seen == seen_[i]) continue;
    data_.see(locations_[i], seen & ~seen_[i], now);
    seen_[i] = seen;
  }
  return {};
}

void Collector::collect_pairs(const CoverStore& store, const binary::ModuleMap& modules) {
  constexpr std::uint32_t kFlags = kFirstWrites | kSecondWrites | kIsCovered | kIsTarget;
  const std::uint32_t count = std::min(store.pair_count.load(), kMaxCoverPairs);
  if (count > states_.size()) states_.resize(count, 0);
  for (std::uint32_t i = 0; i < count; ++i) {
    const CoverPair& from = store.pairs[i];
    if (from.ready.load() == 0) continue;
    const std::uint32_t flags = from.flags.load() & kFlags;
    const std::uint64_t times = from.count.load();
    if (flags == states_[i] && times == 0) continue;
    const auto known = [&](std::uint32_t number) {
      return number < locations_.size() ? locations_[number] : kNone;
    };
    Pair pair;
    pair.metric = from.metric;
    if (pair.metric >= Metric::kCount || !has_pairs(pair.metric)) continue;
    pair.first = known(from.first);
    pair.second = known(from.second);
    if (pair.first == kNone || pair.second == kNone) continue;
    pair.state = flags;
    if (pair.is_covered()) pair.moment = {shard_, from.time_ns / 1000, from.calls, from.run};
    if (states_[i] == 0) {
      if (has_variable(pair.metric)) pair.variable = variable(store, i, modules);
      if (pair.metric == Metric::kLocationPairs) ++location_pairs_.target;
    }
    if (pair.metric == Metric::kLocationPairs && pair.is_covered() &&
        (states_[i] & kIsCovered) == 0)
      ++location_pairs_.covered;
    states_[i] = flags;
    const std::uint32_t index = data_.add_pair(pair);
    if (times > 0) add_count(i, index, times);
  }
}

// Several pairs of the store may be one pair of the data.
void Collector::add_count(std::uint32_t number, std::uint32_t pair, std::uint64_t times) {
  std::uint64_t& known = counts_[number];
  std::uint64_t& sum = sums_[pair];
  sum += times > known ? times - known : 0;
  known = std::max(known, times);
  data_.set_count(pair, shard_, sum);
}

void Collector::name_variables(const CoverStore& store, const binary::ModuleMap& modules) {
  const std::uint32_t count = std::min(store.pair_count.load(), kMaxCoverPairs);
  for (; named_ < count; ++named_) {
    const CoverPair& pair = store.pairs[named_];
    if (pair.ready.load() != 0 && has_variable(pair.metric)) variable_at(store, named_, modules);
  }
}

const std::optional<std::string>& Collector::variable_at(const CoverStore& store,
                                                         std::uint32_t number,
                                                         const binary::ModuleMap& modules) {
  if (number >= variables_at_.size()) variables_at_.resize(number + 1);
  std::optional<std::string>& name = variables_at_[number];
  if (name) return name;
  const std::uint64_t address = store.pairs[number].address;
  const auto global = address == 0 ? std::nullopt : variables_.global(modules, address, 1);
  name = global && global->certain ? without_indices(global->text) : "";
  return name;
}

// The name that the source gives to the memory accessed there.
const std::vector<std::string>& Collector::guesses_at(ModulePc pc,
                                                      const binary::ModuleMap& modules) {
  const auto [entry, is_new] = guesses_.try_emplace(pc);
  if (!is_new) return entry->second;
  const binary::ModuleInfo& module = modules.modules()[module_of(pc)];
  using binary::AccessKind;
  const auto kind = places_.kind_at(module.path, offset_of(pc));
  const AccessKind access = kind == LocationKind::kRead    ? AccessKind::kRead
                            : kind == LocationKind::kWrite ? AccessKind::kWrite
                                                           : AccessKind::kOther;
  for (const std::string& name : variables_.guesses(modules, module.base + offset_of(pc), access)) {
    std::string guess = without_indices(name);
    if (std::find(entry->second.begin(), entry->second.end(), guess) == entry->second.end())
      entry->second.push_back(std::move(guess));
  }
  return entry->second;
}

TextId Collector::variable(const CoverStore& store, std::uint32_t number,
                           const binary::ModuleMap& modules) {
  if (const auto& known = variable_at(store, number, modules); !known->empty())
    return data_.text_id(*known);
  const CoverPair& pair = store.pairs[number];
  return data_.text_id(common_name(guesses_at(store.locations[pair.first].pc, modules),
                                   guesses_at(store.locations[pair.second].pc, modules)));
}

void Collector::add_unexecuted() {
  const auto modules = data_.modules();
  for (const ModuleFile& module : modules) {
    if (module.is_scanned) continue;
    const std::string path = data_.text(module.path);
    for (const binary::CallSite& site : places_.call_sites(path)) {
      Location location;
      location.kind = site.kind;
      location.frames = places_.chain(path, site.return_address);
      if (places_.is_runtime(location.frames)) continue;
      location.shown = places_.shown(location.frames);
      data_.add_location(std::move(location));
    }
    data_.add_module(path, module.hash, true);
  }
}

}  // namespace snag::coverage
