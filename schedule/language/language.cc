#include "schedule/language/language.h"

#include <algorithm>

namespace snag::schedule {
namespace {

int strength(Condition::Op op) {
  switch (op) {
    case Condition::Op::kOr:
      return 0;
    case Condition::Op::kAnd:
      return 1;
    case Condition::Op::kNot:
      return 2;
    case Condition::Op::kHappened:
    case Condition::Op::kBlocked:
      break;
  }
  return 3;
}

std::string part_text(const Condition& part, Condition::Op around) {
  const std::string text = to_string(part);
  return strength(part.op) < strength(around) ? "(" + text + ")" : text;
}

std::string joined(const Condition& condition, std::string_view sign) {
  std::string text;
  for (const Condition& part : condition.parts) {
    if (!text.empty()) text += sign;
    text += part_text(part, condition.op);
  }
  return text;
}

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

// The first byte of a character in UTF-8.
bool begins_character(char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }

// The part of a line that fits into a terminal, and the position of the caret below it.
struct Excerpt {
  std::string text;
  std::size_t caret = 0;  // characters before it
};
Excerpt excerpt_of(std::string_view line, std::size_t caret) {
  constexpr std::size_t kWidth = 95, kBefore = 60;
  const auto length =
      static_cast<std::size_t>(std::count_if(line.begin(), line.end(), begins_character));
  const std::size_t first = length > kWidth && caret > kBefore ? caret - kBefore : 0;
  const std::string_view dots = "...";
  Excerpt excerpt{first > 0 ? std::string(dots) : "",
                  caret - first + (first > 0 ? dots.size() : 0)};
  std::size_t character = 0;  // of the line, as the number of those begun
  for (const char c : line) {
    if (begins_character(c)) ++character;
    if (character <= first) continue;
    if (character > first + kWidth) {
      excerpt.text += dots;
      break;
    }
    // Characters that move the cursor would misplace the caret.
    excerpt.text += static_cast<unsigned char>(c) < 32 || c == 127 ? ' ' : c;
  }
  return excerpt;
}

}  // namespace

std::string_view keyword_of(EventKind kind) {
  switch (kind) {
    case EventKind::kStart:
      return "start";
    case EventKind::kEnd:
      return "end";
    case EventKind::kBlock:
      return "block";
    case EventKind::kUnblock:
      return "unblock";
    case EventKind::kNamed:
      break;
  }
  return "";
}

std::string to_string(const EventRef& event) {
  std::string text(event.kind == EventKind::kNamed ? event.name : keyword_of(event.kind));
  if (!event.thread.empty()) text += "@" + event.thread;
  if (event.occurrence == EventRef::kEvery) return text + "#*";
  if (event.occurrence > 1 || event.has_occurrence) text += "#" + std::to_string(event.occurrence);
  return text;
}

std::string to_string(const Condition& condition) {
  switch (condition.op) {
    case Condition::Op::kHappened:
      return to_string(condition.event);
    case Condition::Op::kBlocked:
      return "[" + to_string(condition.event) + "]";
    case Condition::Op::kNot:
      return "!" + part_text(condition.parts[0], condition.op);
    case Condition::Op::kAnd:
      return joined(condition, " && ");
    case Condition::Op::kOr:
      break;
  }
  return joined(condition, " || ");
}

std::string to_string(const Ordering& ordering) {
  return to_string(ordering.condition) + " -> " + to_string(ordering.event);
}

std::string to_string(const Schedule& schedule) {
  std::string text;
  for (const Ordering& ordering : schedule.orderings) {
    if (!text.empty()) text += ", ";
    text += to_string(ordering);
  }
  return text;
}

std::string normal_name(std::string_view name) {
  std::string normal;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (is_space(name[i])) continue;
    if (name[i] == ':' && i + 1 < name.size() && name[i + 1] == ':') {
      normal += '.';
      ++i;
    } else {
      normal += name[i];
    }
  }
  return normal;
}

LineAndColumn position_of(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, std::min(offset, text.size()));
  const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0
  LineAndColumn position;
  position.line += static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
  position.column += static_cast<std::size_t>(std::count_if(
      before.begin() + static_cast<std::ptrdiff_t>(line_start), before.end(), begins_character));
  return position;
}

std::string message_with_caret(std::string_view text, const Fault& fault) {
  const std::size_t offset = std::min(fault.offset, text.size());
  const LineAndColumn position = position_of(text, offset);
  const std::size_t begin = text.substr(0, offset).rfind('\n') + 1;
  const std::string_view line = text.substr(begin, text.substr(begin).find('\n'));
  const std::size_t first_end = std::min(fault.message.find('\n'), fault.message.size());

  std::string shown;
  if (text.find('\n') != std::string_view::npos)
    shown += "line " + std::to_string(position.line) + ", ";
  shown += "column " + std::to_string(position.column) + ": ";
  shown += fault.message.substr(0, first_end) + "\n  ";
  const Excerpt excerpt = excerpt_of(line, position.column - 1);
  shown += excerpt.text + "\n  " + std::string(excerpt.caret, ' ') + "^";
  return shown + fault.message.substr(first_end);
}

}  // namespace snag::schedule
