#include "tests/commands/cover/exact/recorded.h"

#include <algorithm>
#include <string>

namespace snag::coverage {
namespace {

class Reader {
 public:
  Reader(const CoverStore& store, const session::ModuleMap& modules) : store_(store) {
    for (std::uint32_t i = 0; i < store.module_count; ++i) {
      const std::string path = store.modules[i].path;
      const auto found = std::find_if(modules.modules().begin(), modules.modules().end(),
                                      [&](const auto& module) { return module.path == path; });
      module_numbers_.push_back(
          static_cast<std::uint32_t>(std::distance(modules.modules().begin(), found)));
    }
  }

  Oracle read() {
    for (std::uint32_t i = 1; i < store_.location_count.load(); ++i) read_location(i);
    for (std::uint32_t i = 0; i < store_.pair_count.load(); ++i) read_pair(store_.pairs[i]);
    return std::move(oracle_);
  }

 private:
  ModulePc translate(ModulePc pc) const {
    const std::size_t module = pc >> 48;
    if (module >= module_numbers_.size()) return pc;  // in no module
    return make_module_pc(module_numbers_[module], pc & ((1ull << 48) - 1));
  }

  history::CodeLocation location(std::uint32_t number) const {
    const CoverLocation& from = store_.locations[number];
    history::CodeLocation result{translate(from.pc), {}};
    for (const ModulePc caller : from.callers) {
      if (caller == 0) break;
      result.callers.push_back(translate(caller));
    }
    return result;
  }

  void read_location(std::uint32_t number) {
    if (store_.locations[number].ready.load() == 0) return;
    const std::uint32_t seen = store_.locations[number].seen.load();
    constexpr std::uint32_t kLine = kSeenRead | kSeenWrite | kSeenAtomic | kSeenEntry;
    constexpr std::uint32_t kLock = kSeenLock | kSeenBlocked | kSeenBlocking;
    if (seen & kLine) oracle_.lines[location(number)] |= seen & kLine;
    if (seen & kLock) oracle_.locks[location(number)] |= seen & kLock;
  }

  void read_pair(const CoverPair& pair) {
    if (pair.ready.load() == 0) return;
    const std::uint32_t flags = pair.flags.load();
    const Oracle::Pair locations{location(pair.first), location(pair.second)};
    const Oracle::Methods methods{locations.first.pc, locations.second.pc};
    switch (pair.metric) {
      case Metric::kLocationPairs:
        if (flags & kIsCovered) oracle_.location_pairs.insert(locations);
        if (flags & kIsTarget) oracle_.location_target.insert(locations);
        break;
      case Metric::kDefUse:
        if (flags & kIsCovered) oracle_.def_use.insert(locations);
        if (flags & kIsTarget) oracle_.def_use_target.insert(locations);
        break;
      case Metric::kMethodPairs:
        if (flags & kIsCovered) oracle_.method_pairs.insert(methods);
        break;
      case Metric::kConcurrentMethods:
        if (flags & kIsCovered)
          oracle_.concurrent_methods[std::minmax(methods.first, methods.second)] +=
              pair.count.load();
        break;
      default:
        break;
    }
  }

  const CoverStore& store_;
  std::vector<std::uint32_t> module_numbers_;
  Oracle oracle_;
};

}  // namespace

Oracle read_recorded(const CoverStore& store, const session::ModuleMap& modules) {
  return Reader(store, modules).read();
}

}  // namespace snag::coverage
