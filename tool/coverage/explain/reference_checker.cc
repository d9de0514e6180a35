#include "tool/coverage/explain/reference_checker.h"

#include <optional>
#include <vector>

#include "protocol/coverage.h"

namespace snag::coverage {
namespace {

// ---- Pairs of accesses. ----

void judge_variable(const history::TracedVariable& variable,
                    const std::vector<history::CodeLocation>& locations, Oracle& oracle) {
  const std::vector<history::TracedAccess>& accesses = variable.accesses;
  const auto pair = [&](const history::TracedAccess& first, const history::TracedAccess& second) {
    return Oracle::Pair{locations[first.location], locations[second.location]};
  };
  // Happened just before: no other access to the variable is between the two.
  for (std::size_t i = 0; i + 1 < accesses.size(); ++i) {
    if (history::conflict(accesses[i], accesses[i + 1]))
      oracle.location_pairs.insert(pair(accesses[i], accesses[i + 1]));
  }
  // The last write before a read is the one that it sees.
  for (std::size_t j = 0; j < accesses.size(); ++j) {
    if (!accesses[j].reads) continue;
    for (std::size_t i = j; i-- > 0;) {
      if (!accesses[i].writes) continue;
      if (accesses[i].thread != accesses[j].thread)
        oracle.def_use.insert(pair(accesses[i], accesses[j]));
      break;
    }
  }
}

void judge_target(const history::TracedVariable& variable,
                  const std::vector<history::CodeLocation>& locations, Oracle& oracle) {
  // Equal accesses add nothing.
  std::map<std::pair<std::uint32_t, std::uint32_t>, history::TracedAccess> different;
  for (const history::TracedAccess& access : variable.accesses) {
    const std::uint32_t how = access.thread * 4u + access.reads * 2u + access.writes;
    different.try_emplace({access.location, how}, access);
  }
  for (const auto& [key1, first] : different) {
    for (const auto& [key2, second] : different) {
      if (first.thread == second.thread) continue;
      const Oracle::Pair pair{locations[first.location], locations[second.location]};
      if (first.writes || second.writes) oracle.location_target.insert(pair);
      if (first.writes && second.reads) oracle.def_use_target.insert(pair);
    }
  }
}

// ---- Functions. ----

void judge_methods(std::span<const TraceEvent> run, Oracle& oracle) {
  history::CallStacks stacks;
  for (const TraceEvent& event : run) {
    if (event.kind == TraceKind::kEnter) {
      for (std::size_t other = 0; other < stacks.all().size(); ++other) {
        if (other == event.thread) continue;
        for (const history::CallStacks::Call& call : stacks.all()[other])
          ++oracle.concurrent_methods[std::minmax(event.pc, call.function)];
      }
    }
    stacks.follow(event);
    const bool acts = history::is_access(event.kind) || event.kind == TraceKind::kEnter ||
                      event.kind == TraceKind::kSync;
    if (!acts || stacks.of(event.thread).empty()) continue;
    const ModulePc acting = stacks.of(event.thread).back().function;
    for (std::size_t other = 0; other < stacks.all().size(); ++other) {
      if (other == event.thread) continue;
      for (const history::CallStacks::Call& call : stacks.all()[other])
        oracle.method_pairs.insert({call.function, acting});
    }
  }
}

// ---- Lines. ----

std::uint32_t seen(TraceKind kind) {
  switch (kind) {
    case TraceKind::kRead:
      return kSeenRead;
    case TraceKind::kWrite:
      return kSeenWrite;
    case TraceKind::kAtomicRead:
    case TraceKind::kCompareFailed:
      return kSeenAtomic | kSeenRead;
    case TraceKind::kAtomicWrite:
      return kSeenAtomic | kSeenWrite;
    case TraceKind::kAtomicModify:
      return kSeenAtomic | kSeenRead | kSeenWrite;
    case TraceKind::kEnter:
      return kSeenEntry;
    default:
      return 0;
  }
}

void judge_lines(std::span<const TraceEvent> run, std::uint32_t context, Oracle& oracle) {
  history::CallStacks stacks;
  for (const TraceEvent& event : run) {
    stacks.follow(event);
    if (const std::uint32_t bits = seen(event.kind))
      oracle.lines[stacks.location(event, context)] |= bits;
  }
}

// ---- Locks. ----

struct Hold {
  Tid thread;
  TraceLock how;
  history::CodeLocation at;
};

bool excludes(TraceLock held, TraceLock wanted) {
  return held != TraceLock::kRwRead || wanted != TraceLock::kRwRead;
}

void judge_locks(std::span<const TraceEvent> run, Oracle& oracle) {
  std::map<std::uint64_t, std::vector<Hold>> holders;     // by lock
  std::map<Tid, std::pair<std::uint64_t, Hold>> wanting;  // by thread: the lock, and how
  history::CallStacks stacks;
  const auto meet = [&](const Hold& holder, const Hold& waiter) {
    if (holder.thread == waiter.thread || !excludes(holder.how, waiter.how)) return;
    oracle.locks[waiter.at] |= kSeenLock | kSeenBlocked;
    oracle.locks[holder.at] |= kSeenLock | kSeenBlocking;
  };
  for (const TraceEvent& event : run) {
    stacks.follow(event);
    wanting.erase(event.thread);
    if (event.kind != TraceKind::kWant && event.kind != TraceKind::kAcquire &&
        event.kind != TraceKind::kRelease)
      continue;
    const Hold hold{event.thread, static_cast<TraceLock>(event.detail),
                    stacks.location(event, kMaxCoverContext)};
    std::vector<Hold>& holds = holders[event.address];
    if (event.kind == TraceKind::kWant) {
      oracle.locks[hold.at] |= kSeenLock;
      wanting.insert({event.thread, {event.address, hold}});
      for (const Hold& holder : holds) meet(holder, hold);
    } else if (event.kind == TraceKind::kAcquire) {
      oracle.locks[hold.at] |= kSeenLock;
      if (hold.how != TraceLock::kRwRead) holds.clear();  // its owner has ended
      holds.push_back(hold);
      for (const auto& [thread, want] : wanting) {
        if (want.first == event.address) meet(hold, want.second);
      }
    } else if (event.kind == TraceKind::kRelease) {
      auto own = holds.begin();
      while (own != holds.end() && own->thread != event.thread) ++own;
      if (own == holds.end()) own = holds.begin();
      if (own != holds.end()) holds.erase(own);
    }
  }
}

}  // namespace

void Oracle::add(const Oracle& other) {
  location_pairs.insert(other.location_pairs.begin(), other.location_pairs.end());
  def_use.insert(other.def_use.begin(), other.def_use.end());
  location_target.insert(other.location_target.begin(), other.location_target.end());
  def_use_target.insert(other.def_use_target.begin(), other.def_use_target.end());
  method_pairs.insert(other.method_pairs.begin(), other.method_pairs.end());
  for (const auto& [methods, count] : other.concurrent_methods)
    concurrent_methods[methods] += count;
  for (const auto& [location, bits] : other.lines) lines[location] |= bits;
  for (const auto& [location, bits] : other.locks) locks[location] |= bits;
}

Oracle judge(std::span<const TraceEvent> run, std::uint32_t context,
             const std::set<ModulePc>& ignored) {
  Oracle oracle;
  const history::History history = history::read_history(run, {context, ignored, nullptr});
  for (const history::TracedVariable& variable : history.variables) {
    judge_variable(variable, history.locations, oracle);
    judge_target(variable, history.locations, oracle);
  }
  judge_methods(run, oracle);
  judge_lines(run, context, oracle);
  judge_locks(run, oracle);
  return oracle;
}

}  // namespace snag::coverage
