// What the full traces of some controlled runs show about location pairs that were never covered.
//
// For each pair of the target (see Oracle::location_target) that no run has covered: the locks that
// were held at both accesses, the schedule that came nearest to covering it, and whether it can be
// shown that nothing like what was observed can ever cover it. That is so if one of these holds for
// every two such accesses in the runs, on one variable and by different threads:
//
//   kFirstNotLast    both were made under a common lock, and the first was not the last access to
//                    the variable in its critical section: the next access is by the same thread
//                    (the paper's example: a read of an account's balance that is written back);
//   kSecondNotFirst  likewise, the second was not the first access in its critical section;
//   kOrdered         the second was over before the first began, since a thread had not been made
//                    yet, or had been joined.
//
// This says nothing about code or data that no run has seen: the user decides. Example:
//
//   PairAnalysis analysis(options);
//   for (const TracedRun& run : trace.runs()) analysis.add(run);
//   for (const PairFacts& facts : analysis.uncovered()) ...
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tool/history/full_trace_reader.h"
#include "tool/history/memory_history.h"

namespace snag::coverage {

enum Exclusion : std::uint8_t { kFirstNotLast = 1, kSecondNotFirst = 2, kOrdered = 4 };

// A lock that was held at both accesses of a pair, and where each of the two threads had taken it.
struct CommonLock {
  std::uint64_t address = 0;  // of one of them: there may be many with the same two places
  history::CodeLocation first_taken, second_taken;
  bool excludes = true;  // not just both as readers
};

struct NearAccess {
  Tid thread = 0;
  std::uint32_t location = 0;  // by number
  bool reads = false, writes = false;
};

// The first access of a pair and a later second one, with the fewest accesses to the variable in
// between.
struct NearestSchedule {
  std::uint64_t run = 0;
  std::uint64_t address = 0;  // the variable
  NearAccess first, second;
  std::uint64_t between = 0;         // how many accesses
  std::vector<NearAccess> accesses;  // the first kMostBetween of them
};
inline constexpr std::size_t kMostBetween = 8;
inline constexpr std::size_t kMostLocks = 8;

struct PairFacts {
  std::uint32_t first = 0, second = 0;  // locations, by number
  bool first_writes = false, second_writes = false;
  std::uint64_t address = 0;  // of one variable
  std::uint64_t runs = 0;     // in which it could have been covered
  bool always_common_lock = true;
  std::vector<CommonLock> common_locks;  // at most kMostLocks of different places
  std::vector<history::CodeLocation>
      first_locks;  // held at the first access: where they were taken
  std::vector<history::CodeLocation> second_locks;
  std::uint8_t always = kFirstNotLast | kSecondNotFirst | kOrdered;  // what always holds
  std::uint8_t reasons = 0;                                          // what holds at least once
  bool excluded = true;                                              // at least one always holds
  std::optional<NearestSchedule> nearest;                            // empty: never in this order
};

// Why the pair cannot be covered, in words; empty if that is not known. `place` names the place of
// a call, as "q.cc:31".
using PlaceName = std::function<std::string(const history::CodeLocation&)>;
std::string reason(const PairFacts& facts, const PlaceName& place);

class PairAnalysis {
 public:
  explicit PairAnalysis(history::HistoryOptions options);
  ~PairAnalysis();

  void add(const history::TracedRun& run);
  std::uint64_t runs() const { return runs_; }

  // The pairs of the target that no run has covered, by the numbers of their locations.
  std::vector<PairFacts> uncovered() const;
  bool is_covered(std::uint32_t first, std::uint32_t second) const;
  // What the numbers mean; empty with HistoryOptions::number_of.
  const std::vector<history::CodeLocation>& locations() const { return locations_; }

 private:
  struct Run;
  struct Known {
    PairFacts facts;
    bool covered = false;
    std::uint64_t last_run = 0;  // counted in `facts`, from 1
  };
  std::uint32_t number_of(const history::CodeLocation& location);
  void add_variable(const Run& run, const history::TracedVariable& variable);
  void add_possible(const Run& run, const history::TracedVariable& variable);
  void add_nearest(const Run& run, const history::TracedVariable& variable);

  history::HistoryOptions options_;
  std::uint64_t runs_ = 0;
  std::vector<history::CodeLocation> locations_;
  std::map<history::CodeLocation, std::uint32_t> numbers_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, Known> pairs_;
};

}  // namespace snag::coverage
