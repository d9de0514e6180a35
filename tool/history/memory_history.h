// A run of the full trace, seen from its variables: who accessed each of them, in which order.
//
// A variable is a byte of memory for as long as it is allocated: memory that is freed, or becomes
// the stack of another thread, is another variable afterwards. Keeps only those accessed by more
// than one thread; the others can form no pairs.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <set>
#include <span>
#include <vector>

#include "protocol/full_trace.h"

namespace snag::history {

// An instrumented instruction, and its innermost callers if these distinguish locations.
struct CodeLocation {
  ModulePc pc = 0;
  std::vector<ModulePc> callers;  // innermost first
  auto operator<=>(const CodeLocation&) const = default;
};

struct HistoryOptions {
  std::uint32_t context = 0;   // callers that are part of a location
  std::set<ModulePc> ignored;  // instructions whose accesses do not exist
  // The number of a location, for callers that count several instructions as one location. Not
  // given: in the order of appearance.
  std::function<std::uint32_t(const CodeLocation&)> number_of;
};

struct TracedAccess {
  std::uint32_t event;     // in the run
  std::uint32_t location;  // by number
  Tid thread;
  bool reads, writes;
};
inline bool conflict(const TracedAccess& a, const TracedAccess& b) {
  return a.thread != b.thread && (a.writes || b.writes);
}

struct TracedVariable {
  std::uint64_t address = 0;
  std::vector<TracedAccess> accesses;
};

struct History {
  std::vector<TracedVariable> variables;
  std::vector<CodeLocation> locations;  // by number, unless HistoryOptions::number_of gave them
};

bool is_access(TraceKind kind);
bool reads(TraceKind kind);
bool writes(TraceKind kind);
// Whether the memory that the event is about is new from now on.
bool renews_memory(TraceKind kind);

// The functions that each thread is in, updated event by event.
class CallStacks {
 public:
  struct Call {
    ModulePc function;  // the place of its entry
    ModulePc caller;
  };
  void follow(const TraceEvent& event);
  const std::vector<Call>& of(Tid thread) const;
  const std::vector<std::vector<Call>>& all() const { return stacks_; }
  CodeLocation location(const TraceEvent& event, std::uint32_t context) const;

 private:
  std::vector<std::vector<Call>> stacks_;  // outermost first
};

History read_history(std::span<const TraceEvent> run, const HistoryOptions& options);

}  // namespace snag::history
