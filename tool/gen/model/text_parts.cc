#include "tool/gen/model/text_parts.h"

#include <cctype>

#include "tool/base/text.h"

namespace snag::gen {
namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::size_t find_word(std::string_view text, std::string_view word, std::size_t from) {
  for (std::size_t at = from; (at = text.find(word, at)) != std::string_view::npos; ++at) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !is_word(text[at - 1])) && (end == text.size() || !is_word(text[end])))
      return at;
  }
  return std::string_view::npos;
}

}  // namespace

void replace_name(std::string& text, std::string_view name, std::string_view to) {
  for (std::size_t at = 0; (at = find_word(text, name, at)) != std::string::npos;) {
    const bool is_qualified = at > 0 && text[at - 1] == ':';
    if (!is_qualified) text.replace(at, name.size(), to);
    at += is_qualified ? 1 : to.size();
  }
}

std::string with_template_argument(const std::string& text, std::size_t index,
                                   const std::string& type) {
  std::string result = text;
  const std::string word = "P" + std::to_string(index);
  for (std::size_t at = 0; (at = find_word(result, word, at)) != std::string::npos;
       at += type.size())
    result.replace(at, word.size(), type);
  return result;
}

bool names_template_parameter(const std::string& text, std::size_t index) {
  return find_word(text, "P" + std::to_string(index), 0) != std::string::npos;
}

std::vector<std::string> split_at_commas(std::string_view text) {
  std::vector<std::string> parts;
  int depth = 0;
  char quote = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote != 0) {
      if (c == '\\') ++i;
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '(' || c == '[' || c == '{' || c == '<') {
      ++depth;
    } else if (c == ')' || c == ']' || c == '}' || c == '>') {
      --depth;
    } else if (c == ',' && depth <= 0) {
      parts.emplace_back(trimmed(text.substr(begin, i - begin)));
      begin = i + 1;
    }
  }
  parts.emplace_back(trimmed(text.substr(begin)));
  return parts;
}

std::string join(const std::vector<std::string>& parts, std::string_view between) {
  std::string result;
  for (const std::string& part : parts) {
    if (&part != &parts.front()) result += between;
    result += part;
  }
  return result;
}

std::string indented(const std::string& text, std::size_t blanks) {
  const std::string margin(blanks, ' ');
  std::string result = margin + text;
  replace_all(result, "\n", "\n" + margin);
  return result;
}

std::string quoted_literal(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    if (c == '\n') {
      result += "\\n";
    } else {
      result += c;
    }
  }
  return result + '"';
}

bool fits_pattern(std::string_view pattern, std::string_view text) {
  std::size_t p = 0, t = 0, star = std::string_view::npos, resume = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++resume;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

bool is_plain_name(std::string_view text) {
  for (const char c : text) {
    if (!is_word(c) && c != ':') return false;
  }
  return !text.empty();
}

std::string class_name_problem(std::string_view name) {
  if (name.find_first_not_of(" \t\n") == std::string_view::npos) return "it is empty";
  if (name.find(';') != std::string_view::npos) return "leave ';' out";
  while (name.ends_with(' ')) name.remove_suffix(1);
  if (name.starts_with("const ") || name.ends_with(" const"))
    return "leave 'const' out; methods for const objects are called in any case";
  if (name.ends_with('&') || name.ends_with('*'))
    return "leave '" + std::string(1, name.back()) + "' out";
  return "";
}

}  // namespace snag::gen
