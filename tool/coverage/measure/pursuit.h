// Tries to cover the missing location pairs: for each of them, makes runs that are steered towards
// it (runtime/strategies/directed/wanted_pair_strategy.cc), until one covers it or the budget is
// used up.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "tool/base/error.h"
#include "tool/coverage/data/data.h"
#include "tool/coverage/data/prune.h"
#include "tool/explore/explorer.h"

namespace snag::coverage {

// One pair of the target that was not covered.
struct Pursued {
  enum class End {
    kCovered,   // with a trace
    kOnTheWay,  // by a run for another pair
    kNot,       // not within the budget
    kUnknown,   // its places are not in the program
  };
  std::string text;  // as reports show it
  End end = End::kNot;
  std::uint64_t runs = 0;
  std::string trace_path;
};

struct PursuitOptions {
  explore::ExploreOptions explore;  // `runs` for each pair, `time` for all
  std::string file;                 // the data file; newly covered pairs are added to it
  PruneList pruned;
};

struct PursuitHooks {
  // Called before and during the runs for each pair: its number, the number of pairs, its runs.
  std::function<void(std::size_t, std::size_t, std::uint64_t)> progress =
      [](std::size_t, std::size_t, std::uint64_t) {};
  std::function<bool()> should_stop = [] { return false; };
};

struct PursuitResult {
  std::vector<Pursued> pairs;
  std::vector<explore::Finding> failures;  // of the program, in these runs
  std::vector<explore::Finding> covered;   // one for each pair with a trace
  std::uint64_t runs = 0;
  std::size_t not_tried = 0;                      // pairs left when the search ended early
  std::size_t before = 0, after = 0, target = 0;  // location pairs, without those that are pruned
  bool interrupted = false;
  bool out_of_time = false;
};

Expected<PursuitResult> pursue(const PursuitOptions& options, binary::Symbolizer& symbolizer,
                               const PursuitHooks& hooks);

}  // namespace snag::coverage
