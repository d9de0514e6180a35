// The numbers of a report: covered and target, in total and for each file.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tool/coverage/data/data.h"
#include "tool/coverage/data/prune.h"

namespace snag::coverage {

// Of one metric.
struct Score {
  std::uint64_t covered = 0;
  std::uint64_t target = 0;        // what could be covered, without the pruned ones
  std::uint64_t pruned = 0;        // not covered; the user says that they cannot be
  std::uint64_t contradicted = 0;  // pruned, but covered

  void add(const Score& other);
};

// One line of source.
struct LineScore {
  bool is_executed = false;
  std::vector<std::uint32_t> pairs;  // of location pairs, by index: those that begin here
};

struct FunctionScore {
  std::string name;
  int line = 0;
  bool is_executed = false;
};

struct FileScore {
  TextId id = 0;
  std::string path;         // as the compiler recorded it; empty: without debug information
  std::string name;         // the short form
  bool is_library = false;  // of the compiler or the system, not the user's own
  std::array<Score, kMetricCount> scores{};
  Score functions;
  std::map<int, LineScore> lines;
  std::vector<FunctionScore> function_list;  // by line
};

struct Totals {
  std::array<Score, kMetricCount> scores{};
  std::array<bool, kMetricCount> has_target{};  // whether a percentage means something
  Score functions;
  std::array<Score, kMetricCount> library_scores{};  // of all library files, each pair once
  bool knows_all_code = false;                       // also what was never executed
  std::vector<FileScore> files;                      // the user's own first, then by name

  const Score& of(Metric metric) const { return scores[static_cast<std::size_t>(metric)]; }
};

// A pair counts for the files of its first and of its second location, and once in the total. A
// synchronisation place counts twice: a thread can block there, and block others.
Totals count_totals(const CoverData& data, const Pruned& pruned, const Wording& wording);

}  // namespace snag::coverage
