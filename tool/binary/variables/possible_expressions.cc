#include "tool/binary/variables/possible_expressions.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

namespace snag::binary {
namespace {

constexpr std::size_t kNotFound = std::string_view::npos;

bool is_word_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}
bool is_open(char c) { return c == '(' || c == '[' || c == '{'; }
bool is_close(char c) { return c == ')' || c == ']' || c == '}'; }

struct Assignment {
  std::size_t begin, end;  // of the operator
  bool is_compound;        // it also reads its target
};

std::optional<Assignment> assignment_at(std::string_view line, std::size_t i) {
  constexpr std::array<std::string_view, 10> kCompound = {
      "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="};
  if (i >= line.size()) return std::nullopt;
  for (const std::string_view text : kCompound) {
    if (line.substr(i).starts_with(text)) return Assignment{i, i + text.size(), true};
  }
  if (line[i] != '=' || line.substr(i).starts_with("==")) return std::nullopt;
  return Assignment{i, i + 1, false};
}

// The assignment at the column: at its operator, or at the name that it assigns to.
std::optional<Assignment> assignment_of(std::string_view line, std::size_t i) {
  if (const auto found = assignment_at(line, i)) return found;
  if (!is_word_character(line[i])) return std::nullopt;
  while (i < line.size() && is_word_character(line[i])) ++i;
  i = line.find_first_not_of(" \t", i);
  return i == kNotFound ? std::nullopt : assignment_at(line, i);
}

// The end of the expression that begins there: before a ';' or ',' or a bracket that was opened
// before. None if it is not on the line.
std::size_t end_of(std::string_view line, std::size_t begin) {
  int depth = 0;
  for (std::size_t i = begin; i < line.size(); ++i) {
    if (is_open(line[i])) ++depth;
    if (depth == 0 && (is_close(line[i]) || line[i] == ';' || line[i] == ',')) return i;
    if (is_close(line[i])) --depth;
  }
  return kNotFound;
}

void add(std::vector<SourceExpression>& all, SourceExpression expression) {
  if (expression.parts.empty()) return;
  const std::string text = expression.text();
  const auto is_same = [&](const SourceExpression& other) {
    return other.text() == text && other.is_called == expression.is_called;
  };
  if (std::none_of(all.begin(), all.end(), is_same)) all.push_back(std::move(expression));
}

// Where the condition and the step of the "for" at the position begin, and where the step ends.
struct Loop {
  std::size_t condition, step, end;
};

std::optional<Loop> loop_at(std::string_view line, std::size_t i) {
  if (line.substr(i, 3) != "for" || (i > 0 && is_word_character(line[i - 1]))) return std::nullopt;
  const std::size_t open = line.find_first_not_of(" \t", i + 3);
  if (open == kNotFound || line[open] != '(') return std::nullopt;
  std::size_t begins[2];
  std::size_t at = open + 1;
  for (std::size_t& begin : begins) {
    while (true) {
      at = end_of(line, at);
      if (at == kNotFound || is_close(line[at])) return std::nullopt;
      if (line[at++] == ';') break;
    }
    begin = at;
  }
  while (at < line.size()) {
    at = end_of(line, at);
    if (at == kNotFound) return std::nullopt;
    if (line[at] == ')') return Loop{begins[0], begins[1], at};
    ++at;
  }
  return std::nullopt;
}

// Of "p->items[i]": p, p->items, i, and the whole.
void add_all(std::vector<SourceExpression>& all, std::string_view line, std::size_t begin,
             std::size_t end) {
  for (std::size_t i = begin; i < end; ++i) {
    const bool begins_word = is_word_character(line[i]) &&
                             (i == 0 || !is_word_character(line[i - 1])) &&
                             std::isdigit(static_cast<unsigned char>(line[i])) == 0;
    if (begins_word || line[i] == ']' || line[i] == '*')
      add(all, accessed_expression(line, static_cast<int>(i) + 1));
  }
}

// "old" of "top.compare_exchange_weak(old, x)": the variable that is not accessed atomically there.
std::optional<SourceExpression> expected_value(std::string_view line, std::size_t i) {
  constexpr std::string_view kName = "compare_exchange";
  const std::size_t name = line.rfind(kName, i);
  const std::size_t open = name == kNotFound ? kNotFound : line.find('(', name);
  const std::size_t end = open == kNotFound ? kNotFound : end_of(line, open + 1);
  if (end == kNotFound) return std::nullopt;
  if (end == open + 1 || (i > open && line[i] != ')')) return std::nullopt;
  std::size_t last = line.find_last_not_of(" \t", end - 1);
  while (last > open + 1 && is_word_character(line[last]) && is_word_character(line[last - 1]))
    --last;
  return accessed_expression(line, static_cast<int>(last) + 1);
}

}  // namespace

std::string without_texts(std::string_view line) {
  std::string result(line);
  char quote = 0;
  for (std::size_t i = 0; i < result.size(); ++i) {
    const char c = result[i];
    if (quote == 0 && result.compare(i, 2, "//") == 0) {
      std::fill(result.begin() + static_cast<std::ptrdiff_t>(i), result.end(), ' ');
      break;
    }
    const bool separates_digits = c == '\'' && i > 0 && is_word_character(result[i - 1]);
    if (quote == 0 && (c == '"' || (c == '\'' && !separates_digits))) {
      quote = c;
    } else if (quote != 0) {
      if (c == quote) quote = 0;
      const bool is_escape = c == '\\' && i + 1 < result.size();
      if (quote != 0) result[i] = ' ';
      if (is_escape) result[++i] = ' ';
    }
  }
  return result;
}

std::vector<SourceExpression> possible_expressions(std::string_view source, int column,
                                                   AccessKind access) {
  std::vector<SourceExpression> all;
  if (column <= 0 || static_cast<std::size_t>(column) > source.size()) return all;
  const std::string line = without_texts(source);
  const auto i = static_cast<std::size_t>(column) - 1;
  if (access != AccessKind::kOther) {
    if (auto expected = expected_value(line, i)) {
      add(all, std::move(*expected));
      return all;
    }
  }
  // g++ gives the step of a loop the place of the whole loop.
  if (const auto loop = loop_at(line, i)) {
    if (access != AccessKind::kWrite) add_all(all, line, loop->condition, loop->end);
    for (std::size_t at = loop->step; at < loop->end; ++at) {
      const std::string_view two = std::string_view(line).substr(at, 2);
      const bool is_step = two == "++" || two == "--";
      if (is_step || assignment_at(line, at))
        add(all, accessed_expression(line, static_cast<int>(at) + 1));
      if (is_step) ++at;
    }
    return all;
  }
  const auto assignment = assignment_of(line, i);
  if (access != AccessKind::kRead || !assignment) {
    add(all, accessed_expression(source, column));
    return all;
  }
  const std::size_t end = end_of(line, assignment->end);
  if (end == kNotFound) return all;  // the next line is unknown
  if (assignment->is_compound)
    add(all, accessed_expression(line, static_cast<int>(assignment->begin) + 1));
  add_all(all, line, assignment->end, end);
  return all;
}

void add_arguments(std::vector<SourceExpression>& all, std::string_view source, int column) {
  if (column <= 0 || static_cast<std::size_t>(column) > source.size()) return;
  const std::string line = without_texts(source);
  auto open = static_cast<std::size_t>(column) - 1;
  if (line[open] == ')') {
    int depth = 0;
    for (;; --open) {
      if (is_close(line[open])) ++depth;
      if (is_open(line[open]) && --depth == 0) break;
      if (open == 0) return;
    }
  }
  // The rest of "p->items.insert".
  while (open < line.size() && (is_word_character(line[open]) || line[open] == '.' ||
                                line[open] == ':' || line.compare(open, 2, "->") == 0))
    open += line[open] == '-' ? 2 : 1;
  if (open >= line.size() || line[open] != '(') return;
  for (std::size_t begin = open + 1; begin < line.size();) {
    const std::size_t end = end_of(line, begin);
    if (end == kNotFound) return;
    add_all(all, line, begin, end);
    if (line[end] != ',') return;
    begin = end + 1;
  }
}

SourceExpression element_at(std::string_view line, int column) {
  if (column <= 0 || static_cast<std::size_t>(column) > line.size()) return {};
  auto i = static_cast<std::size_t>(column) - 1;
  while (i < line.size() && is_word_character(line[i])) ++i;
  if (i >= line.size() || line[i] != '[') return {};
  const std::size_t close = end_of(line, i + 1);
  if (close == kNotFound || line[close] != ']') return {};
  return accessed_expression(line, static_cast<int>(close) + 1);
}

}  // namespace snag::binary
