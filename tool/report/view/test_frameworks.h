// What test frameworks print when no test was selected: a run that tests nothing, which a mistyped
// filter can cause.
#pragma once

#include <string>
#include <string_view>

namespace snag::report {

// The line of the output that says so; empty if none does.
std::string no_test_line(std::string_view output);

}  // namespace snag::report
