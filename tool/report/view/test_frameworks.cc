#include "tool/report/view/test_frameworks.h"

#include <algorithm>
#include <iterator>

#include "tool/base/text.h"

namespace snag::report {
namespace {

// A line that begins with the first part and goes on with the second one somewhere.
struct Words {
  std::string_view begin, part = "";
};

constexpr Words kNoTest[] = {
    {"[==========] Running 0 tests "},                    // GoogleTest
    {"No tests ran"},                                     // Catch2
    {"No test cases matched "},                           // Catch2 before version 3
    {"[doctest] test cases: 0 |"},                        // doctest
    {"Test setup error: no test cases matching filter"},  // Boost.Test
    {"Test setup error: test tree is empty"},             // Boost.Test
    {"OK (0)"},                                           // CppUnit
    {"OK (", " 0 ran,"},                                  // CppUTest
    {"100%: Checks: 0,"},                                 // Check
};
// GoogleTest, if all tests were skipped, or if all failed.
constexpr std::string_view kNonePassed = "[ PASSED ] 0 tests.", kFailed = "[  FAILED  ]";

bool says_none(std::string_view line) {
  return std::any_of(std::begin(kNoTest), std::end(kNoTest), [&](const Words& words) {
    return line.starts_with(words.begin) && line.find(words.part) != std::string_view::npos;
  });
}

// Without colours, and with single blanks.
std::string plain(std::string_view line) {
  std::string text;
  for (std::size_t i = 0; i < line.size(); ++i) {
    // (The escape character may have become a question mark.)
    if (line[i] != '[' && line.substr(i + 1).starts_with("[") &&
        line.find_first_not_of("0123456789;", i + 2) == line.find('m', i + 2)) {
      i = std::min(line.find('m', i + 2), line.size());
      continue;
    }
    if (line[i] != ' ' || !text.ends_with(' ')) text += line[i];
  }
  return std::string(trimmed(text));
}

}  // namespace

std::string no_test_line(std::string_view output) {
  const bool some_failed = output.find(kFailed) != std::string_view::npos;
  while (!output.empty()) {
    std::string line = plain(next_line(output));
    if (says_none(line) || (line == kNonePassed && !some_failed)) return line;
  }
  return "";
}

}  // namespace snag::report
