#include "tool/binary/variables/source_expression.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace snag::binary {
namespace {

using Step = SourceExpression::Step;

bool is_identifier_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}
bool is_space(char c) { return c == ' ' || c == '\t'; }

// Words that look like variables, but are not.
bool is_keyword(std::string_view word) {
  constexpr std::array<std::string_view, 21> kWords = {
      "return", "new",    "delete", "if",       "while",     "for",      "do",
      "else",   "switch", "case",   "auto",     "const",     "static",   "sizeof",
      "throw",  "struct", "class",  "co_await", "co_return", "co_yield", "goto"};
  return std::find(kWords.begin(), kWords.end(), word) != kWords.end();
}

// Reads a postfix expression from its end towards its begin, or from its begin to its end.
// Positions are those of the line; all reads are within it.
class Scanner {
 public:
  explicit Scanner(std::string_view line) : line_(line) {}

  char at(std::size_t i) const { return i < line_.size() ? line_[i] : '\0'; }
  bool has(std::size_t i, std::string_view text) const {
    return i <= line_.size() && line_.substr(i).starts_with(text);
  }
  std::size_t skip_spaces(std::size_t i) const {
    while (is_space(at(i))) ++i;
    return i;
  }
  // The position after the last character before `end` that is not a space.
  std::size_t skip_spaces_back(std::size_t end) const {
    while (end > 0 && is_space(line_[end - 1])) --end;
    return end;
  }
  std::size_t word_end(std::size_t i) const {
    while (is_identifier_character(at(i))) ++i;
    return i;
  }

  // Where the bracket before `end` was opened; npos if not on this line.
  std::size_t opening(std::size_t end) const {
    int depth = 0;
    for (std::size_t i = end; i-- > 0;) {
      if (line_[i] == ')' || line_[i] == ']') ++depth;
      if ((line_[i] == '(' || line_[i] == '[') && --depth == 0) return i;
    }
    return std::string_view::npos;
  }
  std::size_t closing(std::size_t begin) const {
    int depth = 0;
    for (std::size_t i = begin; i < line_.size(); ++i) {
      if (line_[i] == '(' || line_[i] == '[') ++depth;
      if ((line_[i] == ')' || line_[i] == ']') && --depth == 0) return i;
    }
    return std::string_view::npos;
  }

  // The expression that ends before `end`: "q->a[i].b". Empty if it begins with something else than
  // a name.
  std::vector<SourceExpression::Part> before(std::size_t end) const {
    std::vector<SourceExpression::Part> parts;  // last first
    while (true) {
      end = skip_spaces_back(end);
      if (end > 0 && line_[end - 1] == ']') {
        const std::size_t open = opening(end);
        if (open == std::string_view::npos) return {};
        parts.push_back({Step::kIndex, std::string(line_.substr(open + 1, end - open - 2))});
        end = open;
        continue;
      }
      if (end > 0 && line_[end - 1] == ')') {  // (*p).x and (p)->x, but no calls
        const std::size_t open = opening(end);
        if (open == std::string_view::npos) return {};
        const std::size_t begin = skip_spaces_back(open);
        if (begin > 0 && (is_identifier_character(line_[begin - 1]) || line_[begin - 1] == '>'))
          return {};
        std::size_t inner_end = 0;
        auto inner = after(skip_spaces(open + 1), &inner_end);
        if (skip_spaces(inner_end) != end - 1) return {};  // (c ? p : q)->x
        inner.insert(inner.end(), parts.rbegin(), parts.rend());
        return inner;
      }
      std::size_t begin = end;
      while (begin > 0 && (is_identifier_character(line_[begin - 1]) || is_scope(begin))) --begin;
      const std::string_view word = line_.substr(begin, end - begin);
      if (word.empty() || std::isdigit(static_cast<unsigned char>(word[0])) != 0 ||
          is_keyword(word)) {
        return {};
      }
      const std::size_t operation = skip_spaces_back(begin);
      if (operation >= 2 && line_.substr(operation - 2, 2) == "->") {
        parts.push_back({Step::kArrow, std::string(word)});
        end = operation - 2;
      } else if (operation >= 1 && line_[operation - 1] == '.') {
        parts.push_back({Step::kMember, std::string(word)});
        end = operation - 1;
      } else {
        parts.push_back({Step::kName, std::string(word)});
        // "*p = 1" and "*(int*)p = 1": the star belongs to what is written.
        const std::size_t cast = cast_begin(begin);
        const std::size_t star = cast == begin ? operation : skip_spaces_back(cast);
        const bool is_assigned_through = parts.size() == 1 && is_unary_star(star);
        std::reverse(parts.begin(), parts.end());
        if (is_assigned_through && cast != begin) parts.push_back({Step::kCast, ""});
        if (is_assigned_through) parts.push_back({Step::kDereference, ""});
        return parts;
      }
    }
  }

  // The expression that begins at `i`: "*p", "q->a[i]". `reached` is where it ends.
  std::vector<SourceExpression::Part> after(std::size_t i, std::size_t* reached = nullptr) const {
    int stars = 0;
    int parentheses = 0;
    bool is_cast = false;
    while (at(i) == '*' || at(i) == '(' || is_space(at(i))) {
      if (const std::size_t end = cast_end(i); end != 0) {
        is_cast = true;
        i = end;
        continue;
      }
      if (at(i) == '*') ++stars;
      if (at(i) == '(') ++parentheses;
      ++i;
    }
    if (!is_identifier_character(at(i)) || std::isdigit(static_cast<unsigned char>(at(i))) != 0)
      return {};
    std::size_t end = i;
    while (is_identifier_character(at(end)) ||
           (has(end, "::") && is_identifier_character(at(end + 2))))
      end += is_identifier_character(at(end)) ? 1 : 2;
    std::vector<SourceExpression::Part> parts = {
        {Step::kName, std::string(line_.substr(i, end - i))}};
    if (is_keyword(parts[0].text)) return {};
    while (true) {
      end = skip_spaces(end);
      if (at(end) == '[') {
        const std::size_t close = closing(end);
        if (close == std::string_view::npos) break;
        parts.push_back({Step::kIndex, std::string(line_.substr(end + 1, close - end - 1))});
        end = close + 1;
      } else if (at(end) == ')' && parentheses > 0) {
        if (stars > 0) parts.push_back({Step::kDereference, ""});
        stars = 0;
        --parentheses;
        ++end;
      } else if (const std::size_t length = has(end, "->")   ? 2
                                            : at(end) == '.' ? 1
                                                             : 0;
                 length > 0 && is_identifier_character(at(skip_spaces(end + length)))) {
        const std::size_t begin = skip_spaces(end + length);
        end = word_end(begin);
        parts.push_back({length == 2 ? Step::kArrow : Step::kMember,
                         std::string(line_.substr(begin, end - begin))});
      } else {
        break;
      }
    }
    if (reached != nullptr) *reached = end;
    if (at(end) == '(') return {};   // the result of a function
    if (parentheses > 0) return {};  // *(p + 1)
    if (is_cast) parts.push_back({Step::kCast, ""});
    for (; stars > 0; --stars) parts.push_back({Step::kDereference, ""});
    return parts;
  }

  // Where the cast to a pointer begins that stands before `begin`; `begin` itself: there is none.
  std::size_t cast_begin(std::size_t begin) const {
    const std::size_t end = skip_spaces_back(begin);
    if (end == 0 || line_[end - 1] != ')') return begin;
    const std::size_t open = opening(end);
    return open != std::string_view::npos && cast_end(open) == begin ? open : begin;
  }

  // Behind the cast to a pointer that begins at `i`: "(int*)p". 0: there is none.
  std::size_t cast_end(std::size_t i) const {
    if (at(i) != '(') return 0;
    const std::size_t close = closing(i);
    if (close == std::string_view::npos || line_[skip_spaces_back(close) - 1] != '*') return 0;
    const std::string_view type = line_.substr(i + 1, close - i - 1);
    const auto is_of_type = [](char c) {
      return is_identifier_character(c) || is_space(c) || c == ':' || c == '*';
    };
    const std::size_t first = type.find_first_not_of(" \t");
    const bool is_named = first != std::string_view::npos && is_identifier_character(type[first]);
    if (!is_named || !std::all_of(type.begin(), type.end(), is_of_type)) return 0;
    const std::size_t next = skip_spaces(close + 1);
    return is_identifier_character(at(next)) || at(next) == '(' || at(next) == '*' ? next : 0;
  }

  // Whether there is a star before `end` that dereferences, and does not multiply or declare.
  bool is_unary_star(std::size_t end) const {
    if (end == 0 || line_[end - 1] != '*') return false;
    std::size_t before = skip_spaces_back(end - 1);
    while (before > 0 && line_[before - 1] == '*') before = skip_spaces_back(before - 1);
    if (before == 0) return true;
    const char c = line_[before - 1];
    return c != ')' && c != ']' && c != '>' && c != '&' && !is_identifier_character(c);
  }

 private:
  // Whether the character before `i` is part of a "::" between names, or before one.
  bool is_scope(std::size_t i) const {
    if (line_[i - 1] != ':') return false;
    return (i >= 2 && line_[i - 2] == ':') || (i < line_.size() && line_[i] == ':');
  }

  std::string_view line_;
};

// Whether a literal begins at `i`, which is not memory that could be accessed.
bool is_literal(const Scanner& scan, std::size_t i) {
  if (scan.at(i) == '-') ++i;
  const char c = scan.at(i);
  if (std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '\'' || c == '"') return true;
  for (const std::string_view word : {"nullptr", "true", "false", "NULL"}) {
    if (scan.has(i, word) && !is_identifier_character(scan.at(i + word.size()))) return true;
  }
  return false;
}

// The size of the comparison at `i`; 0: there is none.
std::size_t comparison_size(const Scanner& scan, std::size_t i) {
  for (const std::string_view text : {"==", "!=", "<=", ">=", "<", ">"}) {
    if (scan.has(i, text)) return text.size();
  }
  return 0;
}

// The count in "count == 3" or "3 == count"; of two variables, it is unknown which.
std::vector<SourceExpression::Part> compared(const Scanner& scan, std::size_t i) {
  const std::size_t right = scan.skip_spaces(i + comparison_size(scan, i));
  if (is_literal(scan, right)) return scan.before(i);
  std::size_t left = scan.skip_spaces_back(i);
  while (left > 0 && is_identifier_character(scan.at(left - 1))) --left;
  if (is_literal(scan, left)) return scan.after(right);
  return {};
}

bool is_macro(std::string_view name) {
  return name == "assert" || std::none_of(name.begin(), name.end(),
                                          [](unsigned char c) { return std::islower(c) != 0; });
}

bool is_in_range_for(std::string_view line, std::size_t colon) {
  const std::size_t open = line.rfind('(', colon);
  if (open == std::string_view::npos || line.find(')', open) < colon) return false;
  const std::size_t word = line.rfind("for", open);
  return word != std::string_view::npos &&
         line.substr(word + 3, open - word - 3).find_first_not_of(" \t") == std::string_view::npos;
}

// The object that a function is called on: "flag" of "flag.store"; nothing for a plain function.
SourceExpression called_on(std::vector<SourceExpression::Part> chain) {
  SourceExpression result;
  const bool is_method =
      chain.size() > 1 && (chain.back().step == Step::kMember || chain.back().step == Step::kArrow);
  if (!is_method) return result;
  if (chain.back().step == Step::kArrow) chain.push_back({Step::kDereference, ""});
  chain.erase(chain.end() - (chain.back().step == Step::kDereference ? 2 : 1));
  result.parts = std::move(chain);
  result.is_called = true;
  return result;
}

// Macros hide where in them the access was: of "assert(!job.done)" and "EXPECT_EQ(sold, 1)" the
// first argument, if it is one expression, or compares one with a literal.
SourceExpression in_macro(const Scanner& scan, std::size_t open) {
  std::size_t begin = open + 1;
  while (is_space(scan.at(begin)) || scan.at(begin) == '!') ++begin;
  std::size_t end = begin;
  while (true) {
    if (is_identifier_character(scan.at(end)) || scan.at(end) == '.') {
      ++end;
    } else if (scan.has(end, "->") || scan.has(end, "::")) {
      end += 2;
    } else if (scan.at(end) == '[' && scan.closing(end) != std::string_view::npos) {
      end = scan.closing(end) + 1;
    } else {
      break;
    }
  }
  const bool is_call = scan.has(end, "()");
  const std::size_t next = scan.skip_spaces(is_call ? end + 2 : end);
  const std::size_t comparison = comparison_size(scan, next);
  const bool is_alone = scan.at(next) == ')' || scan.at(next) == ',';
  const bool is_compared = comparison > 0 && is_literal(scan, scan.skip_spaces(next + comparison));
  SourceExpression result;
  if (!is_alone && !is_compared) return result;
  // Of two variables, it is unknown which.
  if (scan.at(next) == ',' && !is_literal(scan, scan.skip_spaces(next + 1))) return result;
  if (is_call) return called_on(scan.before(end));
  result.parts = scan.before(end);
  return result;
}

SourceExpression at_operator(const Scanner& scan, std::size_t i) {
  SourceExpression result;
  const bool is_step = scan.has(i, "++") || scan.has(i, "--");
  const std::size_t left = scan.skip_spaces_back(i);
  const bool has_left = left > 0 && (is_identifier_character(scan.at(left - 1)) ||
                                     scan.at(left - 1) == ']' || scan.at(left - 1) == ')');
  if (is_step && !has_left) {
    result.parts = scan.after(scan.skip_spaces(i + 2));
    return result;
  }
  constexpr std::array<std::string_view, 10> kAssignments = {
      "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="};
  const bool is_assignment = (scan.at(i) == '=' && scan.at(i + 1) != '=') ||
                             std::any_of(kAssignments.begin(), kAssignments.end(),
                                         [&](std::string_view text) { return scan.has(i, text); });
  if (is_step || is_assignment) {
    result.parts = scan.before(i);
  } else if (scan.at(i) == ']') {
    result.parts = scan.before(i + 1);
  } else if (scan.at(i) == '*' && scan.is_unary_star(i + 1)) {
    result.parts = scan.after(i);
  } else if (scan.has(i, "->") || scan.at(i) == '.') {
    const std::size_t begin = scan.skip_spaces(i + (scan.at(i) == '.' ? 1 : 2));
    result.parts = scan.before(scan.word_end(begin));
  } else if (scan.at(i) == '(') {
    result = called_on(scan.before(i));
  } else if (scan.at(i) == ')') {
    const std::size_t open = scan.opening(i + 1);
    if (open != std::string_view::npos) result = called_on(scan.before(open));
  } else if (comparison_size(scan, i) > 0) {
    result.parts = compared(scan, i);
  } else if (scan.at(i) == '!') {
    result.parts = scan.after(scan.skip_spaces(i + 1));
  }
  return result;
}

}  // namespace

std::string SourceExpression::text() const {
  std::string result;
  for (const Part& part : parts) {
    switch (part.step) {
      case Step::kName:
        result = part.text;
        break;
      case Step::kMember:
        result += "." + part.text;
        break;
      case Step::kArrow:
        result += "->" + part.text;
        break;
      case Step::kIndex:
        result += "[" + part.text + "]";
        break;
      case Step::kCast:
        break;
      case Step::kDereference:
        result = &part == &parts.back() ? "*" + result : "(*" + result + ")";
        break;
    }
  }
  return result;
}

SourceExpression accessed_expression(std::string_view line, int column) {
  SourceExpression result;
  if (column <= 0 || static_cast<std::size_t>(column) > line.size()) return result;
  const Scanner scan(line);
  const auto i = static_cast<std::size_t>(column) - 1;
  if (line[i] == ':' && is_in_range_for(line, i)) {  // clang
    result.parts = scan.after(scan.skip_spaces(i + 1));
    result.is_range = true;
    return result;
  }
  if (!is_identifier_character(line[i])) return at_operator(scan, i);

  std::size_t end = scan.word_end(i);
  while (scan.has(end, "::") && is_identifier_character(scan.at(end + 2)))
    end = scan.word_end(end + 2);
  if (const std::size_t open = scan.skip_spaces(end); scan.at(open) == '(') {
    result = called_on(scan.before(end));
    const bool is_plain = result.parts.empty();
    return is_plain && is_macro(line.substr(i, end - i)) ? in_macro(scan, open) : result;
  }
  result.parts = scan.before(end);
  // The pointer, not its target, which would have its own column.
  const auto ends_with = [&](Step step) {
    return !result.parts.empty() && result.parts.back().step == step;
  };
  if (ends_with(Step::kDereference)) {
    result.parts.pop_back();
    if (ends_with(Step::kCast)) result.parts.pop_back();
  }
  const std::size_t before = scan.skip_spaces_back(i);
  if (result.parts.size() == 1 && before > 0 && line[before - 1] == ':' &&
      is_in_range_for(line, before - 1)) {  // g++
    result.is_range = true;
  }
  return result;
}

}  // namespace snag::binary
