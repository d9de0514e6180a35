// Computes from its full trace what a run has covered, by brute force: straight from the
// definitions of "Location Pairs" (section 3.2) and CovCon, byte by byte, keeping everything. Tests
// compare the recorder in the program (runtime/cover/), which has to be fast, with this; the two
// share no code.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <utility>

#include "protocol/full_trace.h"
#include "tool/history/memory_history.h"

namespace snag::coverage {

struct Oracle {
  using Pair = std::pair<history::CodeLocation, history::CodeLocation>;
  using Methods = std::pair<ModulePc, ModulePc>;

  // Accesses at `first` and `second` to one variable, one directly after the other, by different
  // threads, at least one a write.
  std::set<Pair> location_pairs;
  // A write at `first`, and a read at `second` by another thread that sees it.
  std::set<Pair> def_use;
  // Both in the same run on the same variable, by different threads, in whatever order: what could
  // have been a location pair, or a definition and its use.
  std::set<Pair> location_target;
  std::set<Pair> def_use_target;
  // `first` was called and had not returned when another thread did something in `second`.
  std::set<Methods> method_pairs;
  // How often one began while the other was active in another thread; first <= second.
  std::map<Methods, std::uint64_t> concurrent_methods;

  // What was done at a location (bits of LocationSeen).
  std::map<history::CodeLocation, std::uint32_t> lines;  // accesses and the beginnings of functions
  // Calls that lock: blocked there, or blocking others. These always have their callers, up to
  // kMaxCoverContext: most of them are in library functions with many callers.
  std::map<history::CodeLocation, std::uint32_t> locks;

  // Of both runs together.
  void add(const Oracle& other);
};

Oracle judge(std::span<const TraceEvent> run, std::uint32_t context,
             const std::set<ModulePc>& ignored);

}  // namespace snag::coverage
