// Which races are on the same variable: a variable that nothing protects races wherever it is used,
// and is still one bug.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "tool/binary/source_lines.h"
#include "tool/binary/symbolizer.h"
#include "tool/binary/variables/variables.h"
#include "tool/session/failed_run.h"

namespace snag::explore {

class RaceGroups {
 public:
  explicit RaceGroups(binary::Symbolizer& symbolizer);

  // The number of the failure's group, from 0: races on the same global variable, on the same
  // member of a class in the heap, on blocks that the same place has allocated, or on the same
  // variable of a stack. Every other failure is a group of its own.
  std::size_t group_of(const session::FailedRun& run);
  std::size_t size() const { return size_; }

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
