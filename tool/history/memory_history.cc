#include "tool/history/memory_history.h"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace snag::history {
namespace {

// No real access is bigger; the program may have overwritten its trace.
constexpr std::uint64_t kMostBytes = 1ull << 32;

constexpr Tid kSeveral = kNoTid;

// Bytes that were accessed by more than one thread, whatever they were at that time.
std::unordered_map<std::uint64_t, Tid> find_accessors(std::span<const TraceEvent> run,
                                                      const HistoryOptions& options) {
  std::unordered_map<std::uint64_t, Tid> accessors;
  for (const TraceEvent& event : run) {
    if (!is_access(event.kind) || options.ignored.contains(event.pc) || event.size > kMostBytes)
      continue;
    for (std::uint64_t i = 0; i < event.size; ++i) {
      const auto [found, is_new] = accessors.try_emplace(event.address + i, event.thread);
      if (!is_new && found->second != event.thread) found->second = kSeveral;
    }
  }
  return accessors;
}

bool is_shared(const TracedVariable& variable) {
  return std::any_of(variable.accesses.begin(), variable.accesses.end(),
                     [&](const TracedAccess& access) {
                       return access.thread != variable.accesses.front().thread;
                     });
}

class Reader {
 public:
  explicit Reader(const HistoryOptions& options) : options_(options) {}

  History read(std::span<const TraceEvent> run) {
    const auto accessors = find_accessors(run, options_);
    for (std::uint32_t i = 0; i < run.size(); ++i) {
      const TraceEvent& event = run[i];
      stacks_.follow(event);
      if (event.size > kMostBytes) continue;
      if (renews_memory(event.kind)) renew(event.address, event.size);
      if (!is_access(event.kind) || options_.ignored.contains(event.pc)) continue;
      const TracedAccess access{i, number(stacks_.location(event, options_.context)), event.thread,
                                reads(event.kind), writes(event.kind)};
      for (std::uint64_t byte = event.address; byte != event.address + event.size; ++byte) {
        if (accessors.at(byte) == kSeveral) now_[byte].push_back(access);
      }
    }
    renew(0, ~0ull);
    return std::move(history_);
  }

 private:
  // The old variables end here.
  void renew(std::uint64_t address, std::uint64_t size) {
    if (address + size < address) return;
    const auto begin = now_.lower_bound(address);
    const auto end = now_.lower_bound(address + size);
    for (auto i = begin; i != end; ++i) {
      TracedVariable variable{i->first, std::move(i->second)};
      if (is_shared(variable)) history_.variables.push_back(std::move(variable));
    }
    now_.erase(begin, end);
  }

  std::uint32_t number(CodeLocation location) {
    if (options_.number_of) return options_.number_of(location);
    const auto next = static_cast<std::uint32_t>(history_.locations.size());
    const auto [found, is_new] = numbers_.try_emplace(location, next);
    if (is_new) history_.locations.push_back(std::move(location));
    return found->second;
  }

  const HistoryOptions& options_;
  CallStacks stacks_;
  std::map<std::uint64_t, std::vector<TracedAccess>> now_;  // by address
  std::map<CodeLocation, std::uint32_t> numbers_;
  History history_;
};

}  // namespace

bool is_access(TraceKind kind) {
  return kind >= TraceKind::kRead && kind <= TraceKind::kCompareFailed;
}

bool reads(TraceKind kind) {
  return kind == TraceKind::kRead || kind == TraceKind::kAtomicRead ||
         kind == TraceKind::kAtomicModify || kind == TraceKind::kCompareFailed;
}

bool writes(TraceKind kind) {
  return kind == TraceKind::kWrite || kind == TraceKind::kAtomicWrite ||
         kind == TraceKind::kAtomicModify;
}

bool renews_memory(TraceKind kind) {
  return kind == TraceKind::kAllocate || kind == TraceKind::kFree || kind == TraceKind::kStack ||
         kind == TraceKind::kLeave;
}

void CallStacks::follow(const TraceEvent& event) {
  if (event.thread >= kMaxThreads) return;
  if (event.thread >= stacks_.size()) stacks_.resize(event.thread + 1u);
  auto& stack = stacks_[event.thread];
  switch (event.kind) {
    case TraceKind::kEnter:
      stack.push_back({event.pc, event.address});
      break;
    case TraceKind::kLeave:
      if (!stack.empty()) stack.pop_back();
      break;
    case TraceKind::kUnwind:
      if (event.address < stack.size()) stack.resize(event.address);
      break;
    case TraceKind::kThreadEnd:
      stack.clear();
      break;
    default:
      break;
  }
}

const std::vector<CallStacks::Call>& CallStacks::of(Tid thread) const {
  static const std::vector<Call> none;
  return thread < stacks_.size() ? stacks_[thread] : none;
}

CodeLocation CallStacks::location(const TraceEvent& event, std::uint32_t context) const {
  CodeLocation location{event.pc, {}};
  const std::vector<Call>& stack = of(event.thread);
  for (std::size_t i = 0; i < context && i < stack.size(); ++i)
    location.callers.push_back(stack[stack.size() - 1 - i].caller);
  return location;
}

History read_history(std::span<const TraceEvent> run, const HistoryOptions& options) {
  return Reader(options).read(run);
}

}  // namespace snag::history
