#include "tool/cli/commands/export_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "tool/base/names.h"

namespace snag::cli {
namespace {

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
bool is_word_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// As one line of a comment: the text comes from the program, and may be anything.
std::string comment(const std::string& text) {
  std::string result;
  for (const char c : text) result += static_cast<unsigned char>(c) < 32 || c == '\\' ? ' ' : c;
  return result;
}

std::string string_literal(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\' || c == '?') result += '\\';
    if (static_cast<unsigned char>(c) < 32) {
      result += fmt::format("\\{:03o}", static_cast<int>(c));
    } else {
      result += c;
    }
  }
  return result + "\"";
}

// @NAME@ and the other placeholders are replaced. The test needs nothing of Snag but the tool.
constexpr const char* kTemplate =
    R"(// Fails as long as the bug is there that Snag once found: @FAILURE@
//
// It replays @NAME@.snag, which is next to this file. Where the program has changed too much for that, snag looks
// for the failure in 1000 other schedules. Written by `snag export`; in CMake:
//
//   add_executable(@NAME@_test @NAME@_test.cc)
//   target_link_libraries(@NAME@_test PRIVATE GTest::gtest_main)
//   target_compile_definitions(@NAME@_test PRIVATE @VARIABLE@_PROGRAM="$<TARGET_FILE:the_program>")
//   add_test(NAME @NAME@_test COMMAND @NAME@_test)
//
// The program must be built with `snag c++` (or snag_instrument), and this test need not be. The environment variables
// @VARIABLE@_PROGRAM and SNAG_TOOL (the path of snag) win over the definitions of the same names.
#include <gtest/gtest.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

#include <string>

#ifndef @VARIABLE@_PROGRAM
#define @VARIABLE@_PROGRAM @PROGRAM@  // if relative: from the folder of this file
#endif
#ifndef @VARIABLE@_FOLDER
#define @VARIABLE@_FOLDER ""  // where the trace is; empty: beside this file
#endif
#ifndef SNAG_TOOL
#define SNAG_TOOL "snag"
#endif

namespace {

std::string setting(const char* variable, const char* otherwise) {
  const char* value = getenv(variable);
  return value != nullptr && *value != '\0' ? value : otherwise;
}

std::string shell_word(const std::string& text) {
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? "'\\''" : std::string(1, c);
  return word + "'";
}

TEST(Snag, @NAME@) {
  std::string folder = setting("@VARIABLE@_FOLDER", @VARIABLE@_FOLDER);
  if (folder.empty()) {
    const std::string file = __FILE__;
    const std::string::size_type slash = file.rfind('/');
    folder = slash == std::string::npos ? "." : file.substr(0, slash);
  }
  std::string program = setting("@VARIABLE@_PROGRAM", @VARIABLE@_PROGRAM);
  if (program[0] != '/') program = folder + "/" + program;
  const std::string command = shell_word(setting("SNAG_TOOL", SNAG_TOOL)) +
                              " replay --or-search 1000 --program " + shell_word(program) +
@STDIN@                              " " + shell_word(folder + "/@NAME@.snag") + " 2>&1";
  FILE* pipe = popen(command.c_str(), "r");
  ASSERT_NE(pipe, nullptr) << "cannot start: " << command;
  std::string report;
  char buffer[4096];
  while (const size_t count = fread(buffer, 1, sizeof(buffer), pipe)) report.append(buffer, count);
  const int status = pclose(pipe);
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  if (code == 1) {
    FAIL() << "the bug is there:\n" << report;
  } else if (code == 127) {
    FAIL() << "snag was not found: put it into PATH, or name it in SNAG_TOOL\n" << report;
  } else if (code != 0) {
    FAIL() << "snag could not tell (exit code " << code << ") by: " << command << "\n" << report;
  }
}

}  // namespace
)";

}  // namespace

bool is_identifier(const std::string& text) {
  return !text.empty() && is_letter(text[0]) &&
         std::all_of(text.begin(), text.end(), is_word_character);
}

std::string identifier(const std::string& text) {
  std::string result = text;
  for (char& c : result) {
    if (!is_word_character(c)) c = '_';
  }
  return result.empty() || !is_letter(result[0]) ? "snag_" + result : result;
}

std::string test_text(const ExportedTest& test) {
  std::string upper = test.name;
  for (char& c : upper) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  const trace::TraceFailure& failure = test.failure;
  const std::string what =
      fmt::format("{}, {}{}", failure.kind_name(), failure.message,
                  failure.location.empty() ? "" : fmt::format(" ({})", failure.location));
  const std::string input =
      test.has_stdin ? fmt::format("{:30}\" --stdin \" + shell_word(folder + \"/{}.stdin\") +\n",
                                   "", test.name)
                     : "";
  const std::pair<std::string, std::string> values[] = {{"FAILURE", comment(what)},
                                                        {"NAME", test.name},
                                                        {"VARIABLE", upper},
                                                        {"PROGRAM", string_literal(test.program)},
                                                        {"STDIN", input}};
  std::string result;
  std::string_view rest = kTemplate;
  while (true) {
    const std::size_t begin = rest.find('@');
    result += rest.substr(0, begin);
    if (begin == std::string_view::npos) return result;
    const std::size_t end = rest.find('@', begin + 1);
    const std::string_view name = rest.substr(begin + 1, end - begin - 1);
    for (const auto& [key, value] : values) {
      if (key == name) result += value;
    }
    rest.remove_prefix(end + 1);
  }
}

}  // namespace snag::cli
