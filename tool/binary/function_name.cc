#include "tool/binary/function_name.h"

#include <cxxabi.h>

#include <cctype>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <utility>

namespace snag::binary {
namespace {

// The position behind the bracket that closes the one at `open`.
std::size_t skip_brackets(std::string_view text, std::size_t open, char opening, char closing) {
  int depth = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    if (text[i] == opening) ++depth;
    // The '>' of an arrow closes nothing.
    if (text[i] == closing && !(closing == '>' && i > 0 && text[i - 1] == '-') && --depth == 0)
      return i + 1;
  }
  return text.size();
}

// Whether the text ends in the word "operator", so that the symbol that follows belongs to the
// name.
bool ends_in_operator(std::string_view text) {
  constexpr std::string_view kWord = "operator";
  if (!text.ends_with(kWord)) return false;
  if (text.size() == kWord.size()) return true;
  const auto before = static_cast<unsigned char>(text[text.size() - kWord.size() - 1]);
  return std::isalnum(before) == 0 && before != '_';
}

// "{lambda#2}" of "{lambda(int)#2}", and what other braces hold as it is.
std::string shorten_braces(std::string_view braces) {
  if (!braces.starts_with("{lambda")) return std::string(braces);
  const std::size_t hash = braces.rfind('#');
  return hash == std::string_view::npos ? "{lambda}" : "{lambda" + std::string(braces.substr(hash));
}

// Drops a return type, which demanglers put in front of templates: "void f" is "f".
std::string without_return_type(std::string name) {
  name.resize(name.find_last_not_of(' ') + 1);  // "operator<< <char>"
  const std::size_t operator_at = name.find("operator");
  const std::size_t space = name.rfind(' ', operator_at);
  return space == std::string::npos ? name : name.substr(space + 1);
}

}  // namespace

std::string demangle(const char* name) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(
      abi::__cxa_demangle(name, nullptr, nullptr, &status), std::free);
  return status == 0 ? text.get() : name;
}

std::string short_function_name(const std::string& demangled) {
  std::string result;
  const std::string_view text = demangled;
  for (std::size_t i = 0; i < text.size();) {
    const std::string_view rest = text.substr(i);
    if (rest.starts_with("(anonymous namespace)")) {
      result += "(anonymous)";
      i += std::string_view("(anonymous namespace)").size();
    } else if (ends_in_operator(result)) {
      // operator(), operator<, operator-> and so on: take the symbol whole.
      std::size_t end = rest.starts_with("()") || rest.starts_with("[]") ? 2 : 0;
      while (end == 0 ||
             (end < rest.size() &&
              std::string_view("<>=!&|+-*/%^~").find(rest[end]) != std::string_view::npos &&
              !rest.starts_with("()"))) {
        ++end;
      }
      result += rest.substr(0, end);
      i += end;
    } else if (text[i] == '<') {
      i = skip_brackets(text, i, '<', '>');
    } else if (text[i] == '{') {
      const std::size_t end = skip_brackets(text, i, '{', '}');
      result += shorten_braces(text.substr(i, end - i));
      i = end;
    } else if (text[i] == '(') {
      // Parameters: the name ends here, unless something is nested in this function.
      i = skip_brackets(text, i, '(', ')');
      const std::size_t nested = text.find("::", i);
      constexpr std::string_view kConst = " const";
      if (text.substr(i).starts_with(kConst)) i += kConst.size();
      if (nested != i) break;
    } else if (text[i] == '[') {
      break;  // "[abi:cxx11]", "[clone .part.0]"
    } else {
      result += text[i++];
    }
  }
  return without_return_type(std::move(result));
}

}  // namespace snag::binary
