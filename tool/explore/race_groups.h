// Which races are on the same variable: a variable that nothing protects races wherever it is used,
// and is still one bug.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tool/binary/source_lines.h"
#include "tool/binary/symbolizer.h"
#include "tool/binary/variables/variables.h"
#include "tool/session/failed_run.h"

namespace snag::explore {

// What a race was on, as far as it is known: one line may use several variables.
struct RacedPart {
  std::set<std::string> names;  // of both sides; empty: unknown
  std::uint64_t position = 0;   // in its block, or its address

  // Of races between the same places: whether both may be on the same variable. If one of them has
  // no name, they may.
  bool may_be(const RacedPart& other) const;
};

class RaceGroups {
 public:
  explicit RaceGroups(binary::Symbolizer& symbolizer);

  // The number of the failure's group, from 0: races on the same global variable, on the same
  // member of a class in the heap, on blocks that the same place has allocated, or on the same
  // variable of a stack. Every other failure is a group of its own.
  std::size_t group_of(const session::FailedRun& run);
  std::size_t size() const { return size_; }

  RacedPart part_of(const session::FailedRun& run);

 private:
  // What identifies the memory. One of them is enough, since not all places show all of them.
  std::vector<std::string> keys_of(const session::FailedRun& run);

  binary::Symbolizer& symbolizer_;
  binary::SourceLines source_;
  binary::Variables variables_;
  std::map<std::string, std::size_t> groups_;
  std::size_t size_ = 0;
};

}  // namespace snag::explore
