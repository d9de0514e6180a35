// Where a program checks something, found without changing its source: the calls of functions that
// run when a check fails.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tool/base/error.h"
#include "tool/binary/symbolizer.h"

namespace snag::binary {

struct CheckSite {
  binary::Frame frame;  // the user's own, around the call
  std::string what;     // "assert", "abort", ...
  // A test framework's check: it only counts the failure, and the program exits with an error at
  // its end.
  bool is_counted = false;
};

// What kind of check calls a function of this name (as the linker knows it); empty: none.
std::string_view check_called(std::string_view symbol);

// Each place once.
Expected<std::vector<CheckSite>> find_check_sites(const std::string& program,
                                                  binary::Symbolizer& symbolizer);

}  // namespace snag::binary
