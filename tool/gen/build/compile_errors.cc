#include "tool/gen/build/compile_errors.h"

#include <fmt/format.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

#include "tool/base/json.h"
#include "tool/gen/model/text_parts.h"

namespace snag::gen {
namespace {

constexpr const char* kUnmade = "no way to make an argument of type";

// "Foo" from "... snag_gen::Maker<Foo> ..." or Maker<Foo, void>.
std::string maker_type(const std::string& text) {
  constexpr std::string_view kMaker = "Maker<";
  const std::size_t at = text.find(kMaker);
  if (at == std::string::npos) return "";
  int depth = 1;
  std::size_t end = at + kMaker.size();
  const std::size_t begin = end;
  for (; end < text.size() && depth > 0; ++end) {
    if (text[end] == '<') ++depth;
    if (text[end] == '>') --depth;
    if (text[end] == ',' && depth == 1) break;
  }
  return text.substr(begin, end - begin - (depth == 0 ? 1 : 0));
}

// "Foo" from "... incomplete type 'Foo'" (Clang) or "... incomplete type 'const class Foo'" (g++,
// with quotes of its own where the language has them).
std::string incomplete_type(const std::string& text) {
  static const std::regex kIncomplete(
      "incomplete (?:\\w+ )?type (?:'|\u2018)(?:const |class |struct |union |enum "
      ")*(.*?)(?:'|\u2019)");
  std::smatch match;
  if (!std::regex_search(text, match, kIncomplete) || match[1].str().starts_with("snag_gen::"))
    return "";
  return match[1];
}

}  // namespace

std::vector<CompileError> parse_compiler_output(std::string_view printed, const std::string& file) {
  static const std::regex kPlace("^(.*?):([0-9]+):(?:[0-9]+:)? +(.*)$");
  std::vector<CompileError> errors;
  unsigned required_from = 0;  // g++ says so before the error, clang behind it
  std::istringstream lines{std::string(printed)};
  for (std::string line; std::getline(lines, line);) {
    std::smatch match;
    // /usr/bin/ld: driver.o: in function `...': driver.cc:12: undefined reference to `...'
    if (!std::regex_match(line, match, kPlace)) continue;
    const std::string path = match[1], message = match[3];
    const bool is_here = path == file || path.ends_with("/" + file);
    const unsigned number =
        static_cast<unsigned>(std::strtoul(match[2].str().c_str(), nullptr, 10));
    if (message.starts_with("error: ") || message.starts_with("fatal error: ")) {
      errors.push_back(
          {is_here ? number : required_from, message.substr(message.find(": ") + 2), "", is_here});
      if (errors.back().text.find(kUnmade) != std::string::npos)
        errors.back().unmade = maker_type(line);
    } else if (message.starts_with("undefined reference to")) {
      errors.push_back({is_here ? number : 0, message, "", true});
    } else if (message.starts_with("required from")) {
      if (is_here) required_from = number;
    } else if (message.starts_with("note: ") &&
               message.find("requested here") != std::string::npos) {
      if (is_here && !errors.empty() && errors.back().line == 0) errors.back().line = number;
    } else if (message.starts_with("In instantiation of")) {
      required_from = 0;
    }
  }
  return errors;
}

std::vector<CompileError> parse_check(std::string_view text) {
  std::vector<CompileError> errors;
  const nlohmann::json list = try_parse_json(text);
  if (!list.is_array()) return {{0, "snag-read-class --check failed", "", true}};
  for (const nlohmann::json& error : list) {
    errors.push_back(
        {error.value("line", 0u), error.value("text", ""), "", error.value("in_main", true)});
    if (errors.back().text.find(kUnmade) != std::string::npos)
      errors.back().unmade = maker_type(error.value("notes", ""));
  }
  return errors;
}

std::string readable_reason(const CompileError& error, bool is_template) {
  if (error.text.find(kUnmade) != std::string::npos) {
    return error.unmade.empty()
               ? "one of its arguments cannot be made"
               : fmt::format("no way to make an argument of type '{}'; --arg-pool can give values",
                             error.unmade);
  }
  if (error.text.starts_with("undefined reference")) {
    return fmt::format("it is declared but not linked ({}): give its source or library after --",
                       error.text);
  }
  if (error.text.find("no object of the class under test") != std::string::npos)
    return "what it makes is no object of the class, and no pointer to one";
  if (const std::string type = incomplete_type(error.text); !type.empty())
    return fmt::format("{} is only declared: name its header", type);
  std::string text = error.text;
  for (const char c : {'\n', '\r'}) std::replace(text.begin(), text.end(), c, ' ');
  if (is_template && text.starts_with("no matching"))
    return fmt::format("none of the types that were tried fits its template ({})", text);
  return fmt::format("calling it does not compile: {}", text);
}

}  // namespace snag::gen
