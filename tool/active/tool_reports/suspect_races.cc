// Implements tool/active/tool_reports/suspect_places.h: the two sides of a race that another tool
// reported. Both access the same memory, as far as that is known.

#include <algorithm>

#include "tool/active/candidates/memory_words.h"
#include "tool/active/tool_reports/suspect_places.h"

namespace snag::active {

std::set<std::string> ReportPlaces::variables(const std::vector<std::size_t>& sites) const {
  std::set<std::string> result;
  for (const std::size_t number : sites) {
    const auto variable = sites_[number].variable();
    if (!variable) return {};
    result.insert(*variable);
  }
  return result;
}

std::vector<std::size_t> ReportPlaces::of_variable(const std::vector<std::size_t>& sites,
                                                   const std::string& variable) const {
  std::vector<std::size_t> result;
  for (const std::size_t number : sites) {
    if (sites_[number].variable().value_or(variable) == variable) result.push_back(number);
  }
  return result;
}

LocatedRaces ReportPlaces::race(const ReportEntry& entry) {
  const auto what_of = [](const ReportSide& side) {
    return side.is_free ? What::kFree : What::kAccess;
  };
  const Found one = find(entry.sides[0], what_of(entry.sides[0]), entry.memory);
  if (one.sites.empty()) return {{}, one.problem};
  Found other;
  if (entry.sides.size() > 1) {
    other = find(entry.sides[1], what_of(entry.sides[1]), entry.memory);
    if (other.sites.empty()) return {{}, other.problem};
  }
  // A block that is freed is no variable, whatever the other side does to it.
  const bool has_free = std::any_of(entry.sides.begin(), entry.sides.end(),
                                    [](const ReportSide& side) { return side.is_free; });
  std::set<std::string> names;
  if (!has_free) names = variables(one.sites);
  if (!has_free && entry.sides.size() > 1) {
    const std::set<std::string> others = variables(other.sites);
    if (names.empty()) names = others;
    if (!others.empty())
      std::erase_if(names, [&](const auto& name) { return !others.contains(name); });
  }
  const auto name_of = [&](const std::vector<std::size_t>& sites) -> std::string {
    const WatchEvent* event = sites.empty() ? nullptr : sites_[sites.front()].event;
    return event != nullptr ? names_.variable(event->address, event->size) : "";
  };
  LocatedRaces result;
  Chance best_chance = Chance::kOneThread;
  const auto add = [&](const std::vector<std::size_t>& these, const std::string& variable) {
    Found those;
    if (entry.sides.size() == 1)
      those = others(these);
    else
      those.sites = names.empty() ? other.sites : of_variable(other.sites, variable);
    if (those.sites.empty()) result.problem = those.problem;
    if (those.sites.empty() || these.empty()) return;
    // Accesses that are ordered by locks, or by start and end of threads, are not what the tool has
    // seen, if the same line has others that are unordered.
    if (those.chance < best_chance) return;
    if (those.chance > best_chance) result.races.clear();
    best_chance = those.chance;
    result.races.push_back({located(these), located(those.sites), variable, name_of(these)});
  };
  for (const std::string& name : names) add(of_variable(one.sites, name), name);
  if (names.empty()) add(one.sites, entry.memory.variable);
  return result;
}

void ReportPlaces::find_conflicts() {
  if (has_conflicts_) return;
  has_conflicts_ = true;
  for (const auto run : observation_.runs()) {
    history::StartJoinOrder order;
    AccessedWords words;
    const auto meet = [&](const WatchEvent& earlier, const WatchEvent& later) {
      if (((earlier.flags | later.flags) & kWatchWrite) == 0) return;
      if ((earlier.flags & later.flags & kWatchAtomic) != 0) return;
      // Accesses that one thread made one after the other may be made by two threads in another
      // run.
      Chance chance = Chance::kOneThread;
      if (earlier.thread != later.thread &&
          !order.is_before(earlier.thread, earlier.time, later.thread, later.time)) {
        const bool is_locked =
            exclude_each_other(observation_.locks(earlier.locks), observation_.locks(later.locks));
        chance = is_locked ? Chance::kLocked : Chance::kFree;
      }
      for (Chance* known :
           {&conflicts_[earlier.place][later.place], &conflicts_[later.place][earlier.place]})
        *known = std::max(*known, chance);
    };
    for (const WatchEvent& event : run) {
      follow_threads(order, event);
      if (event.kind == WatchKind::kFresh) words.forget(event, [](const auto&) {});
      if (event.kind != WatchKind::kAccess && event.kind != WatchKind::kFree) continue;
      words.access(event, [&](const WatchEvent& earlier) { meet(earlier, event); });
    }
  }
}

ReportPlaces::Found ReportPlaces::others(const std::vector<std::size_t>& sites) {
  find_conflicts();
  // The same code may have been called in several ways.
  std::map<Chance, std::set<std::uint32_t>> by_chance;
  for (const auto& [place, others] : conflicts_) {
    const CodePlace& code = names_.place(place).code;
    const bool is_there = std::any_of(sites.begin(), sites.end(), [&](std::size_t number) {
      return sites_[number].code == code;
    });
    if (!is_there) continue;
    for (const auto& [other, chance] : others) by_chance[chance].insert(other);
  }
  std::set<std::uint32_t> wanted;
  Found result;
  if (!by_chance.empty()) {
    wanted = by_chance.rbegin()->second;
    result.chance = by_chance.rbegin()->first;
  }
  const std::set<std::string> names = variables(sites);
  for (std::size_t i = 0; i < sites_.size(); ++i) {
    const Site& site = sites_[i];
    if (site.place == 0 || site.what == What::kLock || !wanted.contains(site.place)) continue;
    // A place may have accessed other memory as well.
    if (site.what == What::kAccess && !names.empty() && !names.contains(*site.variable())) continue;
    result.sites.push_back(i);
  }
  if (result.sites.empty()) {
    result.problem =
        "the report names only one of the two accesses, and no other thread used that "
        "memory in the runs watched";
  }
  return result;
}

}  // namespace snag::active
