#include "tool/coverage/explain/proposals.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "tool/history/held_locks.h"

namespace snag::coverage {
namespace {

template <class T>
void add_once(std::vector<T>& list, const T& item) {
  if (list.size() < kMostLocks && std::find(list.begin(), list.end(), item) == list.end())
    list.push_back(item);
}

}  // namespace

// What is known about a run at each of its events.
struct PairAnalysis::Run {
  // A lock that is held at an access, and where in its critical section the access is.
  struct LockAtAccess {
    std::uint64_t address;
    history::CodeLocation taken;
    bool exclusive;
    bool is_first, is_last;  // of the accesses to the variable in the section
    auto operator<=>(const LockAtAccess&) const = default;
  };

  // Accesses to a variable that are equivalent for all that follows.
  struct AccessClass {
    std::uint32_t location;
    Tid thread;
    std::uint32_t time;  // see StartJoinOrder
    bool reads, writes;
    std::vector<LockAtAccess> locks;
    auto operator<=>(const AccessClass&) const = default;
  };

  explicit Run(const history::TracedRun& traced) : number(traced.number), events(traced.events) {
    history::HeldLocks held;
    std::map<Tid, std::uint32_t> current;  // what each thread holds, in `lock_sets`
    lock_sets.emplace_back();
    for (std::uint32_t i = 0; i < events.size(); ++i) {
      const TraceEvent& event = events[i];
      follow_threads(order, event);
      held.follow(event, i);
      if (event.kind == TraceKind::kAcquire || event.kind == TraceKind::kRelease) {
        current[event.thread] = static_cast<std::uint32_t>(lock_sets.size());
        lock_sets.push_back(held.of(event.thread));
      }
      const auto found = current.find(event.thread);
      lock_set.push_back(found == current.end() ? 0 : found->second);
      time.push_back(order.time(event.thread));
    }
  }

  const std::vector<history::HeldLock>& locks(const history::TracedAccess& access) const {
    return lock_sets[lock_set[access.event]];
  }
  NearAccess describe(const history::TracedAccess& access) const {
    return {access.thread, access.location, access.reads, access.writes};
  }

  std::uint64_t number;
  std::span<const TraceEvent> events;
  history::StartJoinOrder order;
  std::vector<std::vector<history::HeldLock>> lock_sets;
  std::vector<std::uint32_t> lock_set;           // by event: in `lock_sets`
  std::vector<std::uint32_t> time;               // by event: the thread's own
  mutable std::set<std::set<AccessClass>> done;  // of add_possible: most variables resemble others
};

PairAnalysis::PairAnalysis(history::HistoryOptions options) : options_(std::move(options)) {
  if (!options_.number_of)
    options_.number_of = [this](const history::CodeLocation& location) {
      return number_of(location);
    };
}

PairAnalysis::~PairAnalysis() = default;

std::uint32_t PairAnalysis::number_of(const history::CodeLocation& location) {
  const auto [found, is_new] =
      numbers_.try_emplace(location, static_cast<std::uint32_t>(locations_.size()));
  if (is_new) locations_.push_back(location);
  return found->second;
}

void PairAnalysis::add(const history::TracedRun& traced) {
  ++runs_;
  const Run run(traced);
  const history::History history = history::read_history(traced.events, options_);
  const history::TracedVariable* previous = nullptr;
  for (const history::TracedVariable& variable : history.variables) {
    // The bytes of a word usually have the same accesses.
    const bool same = previous != nullptr &&
                      std::equal(previous->accesses.begin(), previous->accesses.end(),
                                 variable.accesses.begin(), variable.accesses.end(),
                                 [](const history::TracedAccess& a,
                                    const history::TracedAccess& b) { return a.event == b.event; });
    previous = &variable;
    if (!same) add_variable(run, variable);
  }
}

void PairAnalysis::add_variable(const Run& run, const history::TracedVariable& variable) {
  add_nearest(run, variable);
  add_possible(run, variable);
}

void PairAnalysis::add_nearest(const Run& run, const history::TracedVariable& variable) {
  const std::vector<history::TracedAccess>& accesses = variable.accesses;
  std::map<std::tuple<std::uint32_t, Tid, bool>, std::size_t> last;  // of each kind of access
  for (std::size_t j = 0; j < accesses.size(); ++j) {
    for (const auto& [kind, i] : last) {
      if (!history::conflict(accesses[i], accesses[j])) continue;
      Known& known = pairs_[{accesses[i].location, accesses[j].location}];
      const std::uint64_t between = j - i - 1;
      if (between == 0) known.covered = true;
      std::optional<NearestSchedule>& nearest = known.facts.nearest;
      if (known.covered || (nearest && nearest->between <= between)) continue;
      nearest = NearestSchedule{run.number,
                                variable.address,
                                run.describe(accesses[i]),
                                run.describe(accesses[j]),
                                between,
                                {}};
      for (std::size_t k = i + 1; k < j && nearest->accesses.size() < kMostBetween; ++k)
        nearest->accesses.push_back(run.describe(accesses[k]));
    }
    last[{accesses[j].location, accesses[j].thread, accesses[j].writes}] = j;
  }
}

void PairAnalysis::add_possible(const Run& run, const history::TracedVariable& variable) {
  const std::vector<history::TracedAccess>& accesses = variable.accesses;
  struct Section {
    std::size_t first, last;
  };
  std::map<std::uint32_t, Section> sections;  // by HeldLock::section
  for (std::size_t i = 0; i < accesses.size(); ++i) {
    for (const history::HeldLock& lock : run.locks(accesses[i])) {
      Section& section = sections.try_emplace(lock.section, Section{i, i}).first->second;
      section.last = i;
    }
  }
  std::set<Run::AccessClass> classes;
  for (std::size_t i = 0; i < accesses.size(); ++i) {
    const history::TracedAccess& access = accesses[i];
    Run::AccessClass kind{access.location, access.thread, run.time[access.event],
                          access.reads,    access.writes, {}};
    for (const history::HeldLock& lock : run.locks(access)) {
      const Section& section = sections.at(lock.section);
      kind.locks.push_back(
          {lock.address, lock.taken, lock.exclusive, section.first == i, section.last == i});
    }
    classes.insert(std::move(kind));
  }
  if (!run.done.insert(classes).second) return;

  for (const Run::AccessClass& first : classes) {
    for (const Run::AccessClass& second : classes) {
      if (first.thread == second.thread || (!first.writes && !second.writes)) continue;
      Known& known = pairs_[{first.location, second.location}];
      if (known.covered) continue;
      PairFacts& facts = known.facts;
      if (known.last_run != runs_) {
        known.last_run = runs_;
        ++facts.runs;
      }
      std::uint8_t now = 0;
      bool common = false;
      for (const Run::LockAtAccess& mine : first.locks) {
        add_once(facts.first_locks, mine.taken);
        for (const Run::LockAtAccess& its : second.locks) {
          if (its.address != mine.address) continue;
          const bool excludes = mine.exclusive || its.exclusive;
          const auto known_lock = std::find_if(
              facts.common_locks.begin(), facts.common_locks.end(), [&](const CommonLock& lock) {
                return lock.first_taken == mine.taken && lock.second_taken == its.taken &&
                       lock.excludes == excludes;
              });
          if (known_lock == facts.common_locks.end() && facts.common_locks.size() < kMostLocks)
            facts.common_locks.push_back({mine.address, mine.taken, its.taken, excludes});
          if (!excludes) continue;
          common = true;
          if (!mine.is_last) now |= kFirstNotLast;
          if (!its.is_first) now |= kSecondNotFirst;
        }
      }
      for (const Run::LockAtAccess& its : second.locks) add_once(facts.second_locks, its.taken);
      if (run.order.is_before(second.thread, second.time, first.thread, first.time))
        now |= kOrdered;
      facts.first = first.location;
      facts.second = second.location;
      facts.first_writes |= first.writes;
      facts.second_writes |= second.writes;
      facts.address = variable.address;
      facts.always &= now;
      facts.reasons |= now;
      facts.excluded &= now != 0;
      facts.always_common_lock &= common;
    }
  }
}

std::vector<PairFacts> PairAnalysis::uncovered() const {
  std::vector<PairFacts> result;
  for (const auto& [pair, known] : pairs_) {
    if (!known.covered) result.push_back(known.facts);
  }
  return result;
}

bool PairAnalysis::is_covered(std::uint32_t first, std::uint32_t second) const {
  const auto found = pairs_.find({first, second});
  return found != pairs_.end() && found->second.covered;
}

std::string reason(const PairFacts& facts, const PlaceName& place) {
  if (!facts.excluded) return "";
  // One reason that explains everything is better than several that do so together.
  std::uint8_t stated = facts.reasons;
  for (const std::uint8_t one : {kFirstNotLast, kSecondNotFirst, kOrdered}) {
    if (facts.always & one) {
      stated = one;
      break;
    }
  }
  std::string locks;
  for (const CommonLock& lock : facts.common_locks) {
    if (!lock.excludes) continue;
    const std::string first = place(lock.first_taken), second = place(lock.second_taken);
    locks = first == second ? fmt::format("taken at {}", first)
                            : fmt::format("taken at {} and at {}", first, second);
    break;
  }
  std::vector<std::string> parts;
  if (stated & kFirstNotLast) {
    parts.push_back(
        fmt::format("both are done under one lock ({}), and after the first the same critical "
                    "section accesses the variable again",
                    locks));
  }
  if (stated & kSecondNotFirst) {
    parts.push_back(
        fmt::format("both are done under one lock ({}), and before the second the same critical "
                    "section has accessed the variable already",
                    locks));
  }
  if (stated & kOrdered) {
    parts.push_back(
        "the second is over before the first can begin, by the start or the join of a thread");
  }
  const std::string runs = facts.runs == 1 ? "one run" : fmt::format("all of {} runs", facts.runs);
  return fmt::format("{}; so it was in {}", fmt::join(parts, ", or "), runs);
}

}  // namespace snag::coverage
