// The text of an exported test (snag export).
#pragma once

#include <string>

#include "tool/trace/trace.h"

namespace snag::cli {

struct ExportedTest {
  std::string name;     // an identifier
  std::string program;  // from the test's folder
  bool has_stdin = false;
  trace::TraceFailure failure;
};

bool is_identifier(const std::string& text);
// The nearest identifier: "account-assert-1" becomes "account_assert_1".
std::string identifier(const std::string& text);

std::string test_text(const ExportedTest& test);

}  // namespace snag::cli
