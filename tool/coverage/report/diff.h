// What one measurement covered and another did not: what a new test adds, or what a change of the
// program lost.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "tool/coverage/data/data.h"
#include "tool/coverage/data/wording.h"

namespace snag::coverage {

struct DiffEntry {
  std::string text;       // of a line: its file
  bool is_known = false;  // in the other's target: it could have been covered there
  int line = 0;           // of Metric::kLines
};

struct Diff {
  bool by_readable_place = false;  // of different builds: columns and inlining did not count
  struct Side {
    std::array<std::vector<DiffEntry>, kMetricCount> entries;  // sorted by text
  };
  Side added, lost;
};

Diff diff(const CoverData& before, const CoverData& after);

std::string diff_text(const Diff& diff, std::uint32_t metrics);
std::string diff_json(const Diff& diff, std::uint32_t metrics);

}  // namespace snag::coverage
